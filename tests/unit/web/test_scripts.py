"""What the way to a browser does to a script."""

from __future__ import annotations

import pytest

from jminesweeper.web.scripts import ScriptError, join, shrink


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("const one = 1; // a remark\n// another\nlet two = one;\n", "const a=1;let b=a;"),
        ("const text = 'a // b';", "const a='a // b';"),
        ("const near = a - -one + +two;", "const b=a- -one+ +two;"),
        ("const [one, two = one] = three;", "const[a,b=a]=three;"),
        ("function sum(one, two) { return one + two; }", "function a(a,b){return a+b;}"),
        ("const { size, length: long } = board;", "const{size:a,length:b}=board;"),
        ("const point = { x, y: size };", "const a={x,y:size};"),
        ("const half = (all) => all / 2 / all;", "const a=(a)=>a/2/a;"),
        ("const is = (text) => /^[/a]{2}$/.test(text);", "const a=(a)=>/^[/a]{2}$/.test(a);"),
        (
            "const pick = (list) => list.map((one) => one ? list : 2);",
            "const a=(a)=>a.map((b)=>b?a:2);",
        ),
        (
            "for (const cell of cells) if (cell) send(cell); else stop(cell);",
            "for(const a of cells)if(a)send(a);else stop(a);",
        ),
        (
            "const name = (seat) => `${seat.name} (${`<${seat}>`})`;",
            "const a=(a)=>`${a.name} (${`<${a}>`})`;",
        ),
        ("try { run(); } catch (error) { tell(error); }", "try{run();}catch(a){tell(a);}"),
        (
            "class Board {\n  cells = 2 * size;\n  * read(data) {\n    yield* data;\n  }\n}\n",
            "class a{cells=2*size;*read(a){yield*a;}}",
        ),
        (
            "class Board {\n  get left() {\n    return this.left;\n  }\n}\n",
            "class a{get left(){return this.left;}}",
        ),
        (
            "const last = (one, two) => { const [three] = two; return three; };",
            "const a=(c,a)=>{const[b]=a;return b;};",
        ),
        (
            "const b = (c) => { if (c) { const d = c; return d; } return e; };\nb(e);",
            "const a=(a)=>{if(a){const b=a;return b;}return e;};a(e);",
        ),
    ],
)
def test_spaces_and_comments_go_and_variables_are_short(source: str, sent: str) -> None:
    assert shrink(source) == sent


@pytest.mark.parametrize(
    "source",
    [
        "if (a) { const open = 1; run(open); } open();",
        "const one = 1; const one = 2;",
        "const text = 'never ended;",
    ],
)
def test_a_script_that_cannot_be_understood_is_refused(source: str) -> None:
    with pytest.raises(ScriptError):
        shrink(source)


def test_modules_become_one_script_without_imports_and_exports() -> None:
    joined = join(
        {
            "dom": "export const root = 1;\nexport function make() {}\n",
            "page": (
                "import * as dom from './dom.js';\n"
                "import { root } from './dom.js';\n"
                "dom.make(root);\n"
            ),
        }
    )
    assert shrink(joined) == "const a=1;function b(){}const c={root:a,make:b};c.make(a);"


@pytest.mark.parametrize(
    "text",
    [
        "export default class A {}\n",
        "export { a };\n",
        "export async function a() {}\n",
        "import './dom.js';\n",
        "import {\n  a,\n} from './dom.js';\n",
    ],
)
def test_a_module_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ScriptError, match=r"odd\.js"):
        join({"odd": text})
