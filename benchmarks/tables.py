"""Figures as tables of Markdown that can also be read as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any, Final

from benchmarks.aims import AIMS

Cells = Sequence[object]


def table(headings: Sequence[str], rows: Iterable[Cells]) -> str:
    """Write a table; the first column is text, the others are numbers."""
    lines = [headings, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[number]) for line in lines) for number in range(len(headings))]
    written = [_line(line, widths) for line in lines]
    rule = "|".join(["-" * (widths[0] + 2), *["-" * (width + 1) + ":" for width in widths[1:]]])
    return "\n".join([written[0], f"|{rule}|", *written[1:]])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return (
        " | ".join([f"| {first[0]:<{first[1]}}", *(f"{cell:>{width}}" for cell, width in others)])
        + " |"
    )


def number(value: float | None) -> str:
    """Write a figure with as many digits as mean anything."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def of_conditions(figures: Mapping[str, Any]) -> str:
    extent = "quick" if figures["is_quick"] else "full"
    return (
        f"CPython {figures['python']}, {figures['system']}, {figures['processors']} processors; "
        f"load {figures['load']} before the {extent} run."
    )


def of_engine(figures: Mapping[str, Any]) -> str:
    aims = figures["aims_us"]

    def rows() -> Iterator[Cells]:
        for name, timings in figures["microseconds"].items():
            best = {who: timing and timing["best_us"] for who, timing in timings.items()}
            cells = (best["ours"], aims[name], best["c"], best["naive"])
            yield name, *map(number, cells), met(best["ours"] <= aims[name])

    headings = ("best of all rounds, µs", "ours", "aim", "C", "loops in Python", "met")
    memory = figures["memory"]
    return (
        f"{table(headings, rows())}\n\nA game of 20x10 played through, {memory['actions']} "
        f"actions, allocates {memory['allocated']} bytes; the aim is {memory['aim']}."
    )


def of_solver(figures: Mapping[str, Any]) -> str:
    rows = [
        (
            f"{run['preset']}, first click {run['first']}",
            run["games"],
            f"{run['won']:.1f} ± {run['won_interval']:.1f}",
            *(number(run[name]) for name in ("guesses", "mean_ms", "p99_ms", "max_ms")),
        )
        for run in figures["strength"]
    ]
    headings = ("games", "played", "won, %", "guesses", "mean ms", "p99 ms", "worst ms")
    lines = (f"- {line}" for line in (*figures["positions"], *figures["boards"]))
    return f"{table(headings, rows)}\n\n" + "\n".join(lines)


def of_wire(figures: Mapping[str, Any]) -> str:
    replies = {
        (each["board"], each["action"], each["version"]): each for each in figures["replies"]
    }
    aims = figures["aims"]

    def rows() -> Iterator[Cells]:
        for board, action, version in replies:
            if version == 1:
                old, new = (replies[board, action, each] for each in (1, 2))
                sizes = (old["mean"], old["most"], new["mean"], new["most"], aims.get(action))
                yield f"{board} {action}", *map(number, sizes)

    return table(("bytes of the reply", "v1 mean", "v1 most", "v2 mean", "v2 most", "aim"), rows())


def of_replies(figures: Mapping[str, Any]) -> str:
    aims = figures["aims_us"]
    rows = (
        (name, *map(number, (timing["median_us"], timing["best_us"], aims.get(name))))
        for name, timing in figures["microseconds"].items()
    )
    return table(("µs of a reply, inside the process", "median", "best", "aim"), rows)


def of_server(figures: Mapping[str, Any]) -> str:
    def rows() -> Iterator[Cells]:
        for each in figures["cases"]:
            ours, bare = each["ours"], each["bare"]
            yield (
                f"{each['case']}, {each['loop']}",
                each["connections"],
                *map(number, (each["reply_bytes"], ours["rate"], bare["rate"])),
                f"{each['rate_ratio']:.2f}",
                *map(number, (ours["cpu_us"], bare["cpu_us"])),
                f"{each['cpu_ratio']:.2f}",
                *map(number, (ours["p50_us"] / 1000, ours["p99_us"] / 1000)),
            )

    headings = (
        *("case", "connections", "reply, B", "ours/s", "bare/s", "ratio"),
        *("CPU, µs", "bare", "ratio", "p50, ms", "p99, ms"),
    )
    memory = table(
        ("memory for each connection, KiB", "silent", "with a game of 20x10"),
        (
            (
                f"{each['server']}, {each['loop']}",
                number(each["silent_kib"]),
                number(each["playing_kib"]),
            )
            for each in figures["memory"]
        ),
    )
    return "\n\n".join((table(headings, rows()), _of_visits(figures), memory))


def _of_visits(figures: Mapping[str, Any]) -> str:
    """Tell what is not a rate: short visits, and how long players wait beside others."""
    visits = table(
        ("connect, START, QUIT: CPU, µs", "ours", "bare", "ratio"),
        (
            (each["loop"], *map(number, (each["ours_us"], each["bare_us"], each["ratio"])))
            for each in figures["visits"]
        ),
    )
    waits = table(
        ("a key on 255x255 beside a flood, ms", "flooders", "median", "worst"),
        (
            (each["flood"], each["flooders"], *map(number, (each["median_ms"], each["worst_ms"])))
            for each in figures["waits"]
        ),
    )
    crowd = table(
        ("1,000 known players, ms", "p50", "p99", "worst"),
        (
            (
                f"beside {each['flooders']} repainting 255x255",
                *map(number, (each["p50_ms"], each["p99_ms"], each["worst_ms"])),
            )
            for each in figures["crowd"]
        ),
    )
    return f"{visits}\n\n{waits}\n\n{crowd}"


def of_counting(figures: Mapping[str, Any]) -> str:
    return (
        f"For each packet the histogram of times costs {number(figures['histogram_us'])} µs, the "
        f"counter of its type {number(figures['counter_us'])} µs."
    )


def of_store(figures: Mapping[str, Any]) -> str:
    rows = (
        (each["games"], *map(number, (each["appends_per_s"], each["p50_ms"], each["p99_ms"])))
        for each in figures["appends"]
    )
    resume = figures["resume"]
    return (
        f"{table(('games at once', 'appends/s', 'p50, ms', 'p99, ms'), rows)}\n\n"
        f"One row and one commit with nothing else: {number(figures['plain_per_s'])} a second. "
        f"Memory store: {number(figures['memory_per_s'])} appends a second. A game of 10,000 "
        f"actions is claimed in {number(resume['claim_ms'])} ms from a file opened in "
        f"{number(resume['open_ms'])} ms, and takes {number(resume['bytes_per_action'])} bytes of "
        "disk an action."
    )


def of_shared_store(figures: Mapping[str, Any]) -> str:
    def cells(sample: Mapping[str, Any]) -> Iterator[str]:
        names = ("appends_per_s", "p50_ms", "p99_ms", "cpu_us", "redis_cpu_us")
        return (number(sample[name]) for name in names)

    measures = ("appends/s", "p50, ms", "p99, ms", "CPU, µs", "of Redis, µs")
    contest = table(
        ("one process, 100 games", *measures, "all CPU, to SQLite's"),
        (
            (each["store"], *cells(each["sample"]), f"{each['cpu_ratio']:.2f}")
            for each in figures["contestants"]
        ),
    )
    crowds = table(
        ("on one Redis, everysec", *measures, "Redis alone, appends/s"),
        (
            (
                f"{each['processes']} x 100 games",
                *cells(each["sample"]),
                number(each["redis_capacity_per_s"]),
            )
            for each in figures["crowds"]
        ),
    )
    return f"{contest}\n\n{crowds}"


def of_durable(figures: Mapping[str, Any]) -> str:
    def rows() -> Iterator[Cells]:
        for each in figures["throughput"]:
            sample = each["sample"]
            latencies = (sample["p50_us"] / 1000, sample["p99_us"] / 1000)
            cells = map(number, (sample["rate"], sample["cpu_us"], *latencies))
            ratios = (each["rate_ratio"], each["cpu_ratio"])
            name = f"{each['connections']}, {each['store']}"
            yield name, *cells, *(f"{ratio:.2f}" for ratio in ratios)

    headings = (
        *("known players", "actions/s", "CPU, µs", "p50, ms", "p99, ms"),
        *("actions, to memory's", "CPU, to memory's"),
    )
    times = sorted(figures["resume_ms"])
    memory = table(
        ("players with a game of 20x10", "KiB each"),
        ((each["players"], number(each["kib"])) for each in figures["memory"]),
    )
    return (
        f"{table(headings, rows())}\n\nThe same disk, one row and one commit with nothing else: "
        f"{number(figures['plain_commits_per_s'])} a second.\n\n"
        f"A game of 10,000 actions is on the screen {number(median(times))} ms after HELLO, at "
        f"worst {number(times[-1])}; the aim is 50.\n\n{memory}"
    )


def of_processes(figures: Mapping[str, Any]) -> str:
    def rows() -> Iterator[Cells]:
        for each in figures["loads"]:
            one, two = each["one"], each["two"]
            cells = (one["rate"], two["rate"], one["cpu_us"], two["cpu_us"], two["busiest"])
            ratios = (each["cpu_ratio"], each["capacity_ratio"])
            yield each["case"], *map(number, cells), *(f"{ratio:.2f}" for ratio in ratios)

    return table(
        (
            *("100 connections", "one process, moves/s", "two", "CPU of one, µs", "of two"),
            *("the busier one's share", "CPU ratio", "capacity ratio"),
        ),
        rows(),
    )


def of_many_hosts(figures: Sequence[Mapping[str, Any]]) -> str:
    rows = ((each["what"], number(each["median_ms"]), number(each["worst_ms"])) for each in figures)
    return table(("until the same board is back elsewhere, ms", "median", "worst"), rows)


def of_attacks(figures: Mapping[str, Any]) -> str:
    headings = (
        *("attack", "connections", "what another player does"),
        *("alone, ms", "meanwhile, ms", "worst, ms", "store, KiB/s", "largest worker, MiB"),
    )
    figure_names = ("alone_ms", "median_ms", "worst_ms", "file_kib_per_s", "worker_mib")
    rows = (
        (
            each["attack"],
            each["connections"],
            each["bystander"].lower(),
            *(number(each[name]) for name in figure_names),
        )
        for each in figures["attacks"]
    )
    return table(headings, rows)


def of_page(figures: Sequence[Mapping[str, Any]]) -> str:
    rows = (
        (each["name"], number(each["value"]), each["unit"], number(each["aim"])) for each in figures
    )
    return table(("page", "measured", "unit", "aim"), rows)


def of_client_start(figures: Mapping[str, Any]) -> str:
    rows = (
        (each["name"], *map(number, (each["median_ms"], each["best_ms"], each["cpu_ms"])))
        for each in figures["starts"]
    )
    head = ("from exec to the first frame, ms", "median", "best", "processor")
    return (
        f"{table(head, rows)}\n\nThe aim is {figures['aim_ms']} ms, and "
        f"{figures['server_aim_ms']} until a server listens."
    )


def of_aims(figures: Mapping[str, Any]) -> str:
    """Compare all figures with what was aimed at."""
    rows = (
        (
            aim.what,
            number(aim.measured(figures)),
            f"at {'least' if aim.is_least else 'most'} {number(aim.limit)}",
            met(aim.is_met(figures)),
        )
        for aim in AIMS
    )
    return table(("aim", "measured", "wanted", "met"), rows)


def met(is_met: bool) -> str:
    return "yes" if is_met else "no"


TABLES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "engine": of_engine,
    "solver": of_solver,
    "wire": of_wire,
    "replies": of_replies,
    "server": of_server,
    "counting": of_counting,
    "store": of_store,
    "shared_store": of_shared_store,
    "durable": of_durable,
    "processes": of_processes,
    "many_hosts": of_many_hosts,
    "attacks": of_attacks,
    "page": of_page,
    "client_start": of_client_start,
}
