"""A script on its way to a browser."""

from __future__ import annotations

import pytest

from jminesweeper.web.scripts import ScriptError, join, shrink


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("const one = 1; // a remark\n// another\nlet two = one;\n", "let e=1;let t=e;"),
        ("const text = 'a // b';", "let e='a // b';"),
        ("const near = a - -one + +two;", "let e=a- -one+ +two;"),
        ("const [one, two = one] = three;", "let[e,t=e]=three;"),
        ("function sum(one, two) { return one + two; }", "function e(e,t){return e+t}"),
        ("const { size, length: long } = board;", "let{size:e,length:t}=board;"),
        ("const point = { x, y: size };", "let e={x,y:size};"),
        ("const half = (all) => all / 2 / all;", "let e=e=>e/2/e;"),
        ("const is = (text) => /^[/a]{2}$/.test(text);", "let e=e=>/^[/a]{2}$/.test(e);"),
        (
            "const pick = (list) => list.map((one) => one ? list : 2);",
            "let e=e=>e.map(t=>t?e:2);",
        ),
        (
            "for (const cell of cells) if (cell) send(cell); else stop(cell);",
            "for(let e of cells)if(e)send(e);else stop(e);",
        ),
        (
            "const name = (seat) => `${seat.name} (${`<${seat}>`})`;",
            "let e=e=>`${e.name} (${`<${e}>`})`;",
        ),
        ("try { run(); } catch (error) { tell(error); }", "try{run()}catch(e){tell(e)}"),
        (
            "class Board {\n  cells = 2 * size;\n  * read(data) {\n    yield* data;\n  }\n}\n",
            "class e{cells=2*size;*read(e){yield*e}}",
        ),
        (
            "class Board {\n  get left() {\n    return this.left;\n  }\n}\n",
            "class e{get left(){return this.left}}",
        ),
        (
            "class Board {\n  #left = true;\n  get #size() {\n    return this.#left;\n  }\n}\n",
            "class e{#e=!0;get #t(){return this.#e}}",
        ),
        ("setTimeout(() => run(), 5);", "setTimeout(()=>run(),5);"),
        ("run(async (one) => one, (...all) => all);", "run(async e=>e,(...e)=>e);"),
        (
            "const last = (one, two) => { const [three] = two; return three; };",
            "let e=(n,e)=>{let[t]=e;return t};",
        ),
        (
            "const b = (c) => { if (c) { const d = c; return d; } return e; };\nb(e);",
            "let t=t=>{if(t){let e=t;return e}return e};t(e);",
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
    assert shrink(joined) == "let e=1;function t(){}let n={root:e,make:t};n.make(e);"


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
