"""Worksheets: what is asked, what is given, that the answers are the engine's, and versions to be worked by hand."""

import re
import tracemalloc
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import assume, given, settings

from explorer import resources
from explorer.attention import attend
from explorer.attention.formula import number
from explorer.attention.masks import Causal, Padding
from explorer.attention.positions import Alibi, Learned, Sinusoidal
from explorer.attention.trace import STAGE, Cell, Trace
from explorer.files.session import dump, load
from explorer.files.worksheet import (
    Grid,
    Sheet,
    WorksheetError,
    blanks_of,
    default_stages,
    versions,
    worksheet,
)
from explorer.files.worksheet.markdown import ANSWERS, EXERCISES, markdown
from explorer.files.worksheet.sheet import printed
from explorer.files.worksheet.texts import TEXTS
from explorer.patience import CancelledError
from explorer.scene import Scene
from tests.attention.random_scenes import scenes

NAMES = sorted(path.name.removesuffix(".attn.json") for path in resources.path("scenes").glob("*.attn.json"))


def scene_of(name: str) -> Scene:
    return load(resources.path("scenes", f"{name}.attn.json"))


def sheet_of(scene: Scene, **options: str) -> Sheet:
    trace = attend(scene)
    return worksheet(trace, blanks_of(trace, default_stages(scene)), **options)


def test_what_there_is_to_do_in_a_large_scene_is_found_in_little_memory() -> None:
    n = 8192
    plain = Scene(x=np.ones((n, 1)), w_q=[[1.0]], w_k=[[1.0]], w_v=[[1.0]], w_o=[[1.0]], scale="none")
    all_seen = plain.replace(mask=(Padding(keys=(True,) * n),))
    rich = plain.replace(mask=(Causal(),), mask_fill=-1.0, position=Alibi())
    tracemalloc.start()
    found = [default_stages(scene) for scene in (plain, all_seen, rich)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    few = ("q", "k", "v", "scores", "weights", "head_outputs", "output")
    assert found == [few, few, (*few[:4], "scaled", "masked", *few[4:])]
    assert peak < n * n / 2


def by_name(sheet: Sheet) -> Mapping[str, Grid]:
    return {grid.name.text: grid for grid in (*sheet.given, *sheet.grids)}


def stages_of(sheet: Sheet) -> list[str]:
    return [stage for task in sheet.tasks for stage in task.stages]


TWO, CAT = scene_of("two-tokens"), scene_of("cat-sat-down")


# ---- what is asked, what is given ----


def test_the_worked_example() -> None:
    sheet = sheet_of(TWO)
    assert [grid.name.text for grid in sheet.given] == ["X", "W_q", "W_k", "W_v"]
    assert [task.title for task in sheet.tasks] == [
        "Queries, keys, values",
        "Scores",
        "Scaled scores",
        "Weights: softmax, row by row",
        "Outputs: the values, mixed",
    ]
    grids = by_name(sheet)
    assert grids["Q"].texts == (("1", "2"), ("1", "1")) and grids["Q"].blank.all()
    assert grids["S"].texts == (("0.71", "1.41"), ("0.71", "0.71"))
    assert grids["e^S"].texts == (("2.03", "4.11", "6.14"), ("2.03", "2.03", "4.06"))
    assert grids["A"].texts == (("0.33", "0.67"), ("0.5", "0.5"))
    assert grids["O"].texts == (("0.33", "0.67"), ("0.5", "0.5"))
    assert not grids["X"].blank.any() and grids["X"].rows == ("a1", "a2")
    (table,) = sheet.tasks[3].tables
    assert [name.text for name, _texts in table.rows] == ["q·k", "s", "e^s"]
    assert table.rows[0][1] == ("0", "1", "2", "3") and table.rows[2][1] == ("1", "2.03", "4.11", "8.34")


def test_worked_answers_come_from_explain() -> None:
    lines = [line.text for task in sheet_of(TWO).tasks for part in task.parts for line in part.worked]
    assert lines[1] == "q₁,₂ = Σᵣ x₁,ᵣ·W_q[r,2] = 1·1 + 1·1 = 2"
    assert "s₁,₂ = q₁·k₂/√d_k = (1·0 + 2·1)/√2 = 1.41" in lines
    assert "α₁,₂ = e^s₁,₂/Σⱼ e^s₁,ⱼ = e^1.41/(e^0.71 + e^1.41) = 4.11/6.14 = 0.67" in lines
    assert lines[-1] == "o₂,₂ = Σⱼ α₂,ⱼ·vⱼ,₂ = 0.5·0 + 0.5·1 = 0.5"


def test_what_is_not_asked_is_given_where_it_is_needed() -> None:
    trace = attend(CAT)
    given = {
        ("weights",): ["S₁", "S₂"],
        ("scores",): ["Q₁", "Q₂", "K₁", "K₂"],
        ("head_outputs",): ["V₁", "V₂", "A₁", "A₂"],
        ("output",): ["concat", "W_o"],
        ("weights", "head_outputs"): ["S₁", "S₂", "V₁", "V₂"],
        ("v", "output"): ["X", "W_v", "concat", "W_o"],
    }
    for stages, names in given.items():
        sheet = worksheet(trace, blanks_of(trace, stages))
        assert sorted(grid.name.text for grid in sheet.given) == sorted(names)
        assert stages_of(sheet) == list(stages)


def test_without_an_output_matrix_nothing_is_multiplied() -> None:
    """Asked for by name, the output is what the heads have said."""
    for scene, hint in (
        (TWO, "There is no output matrix here: copy the numbers."),
        (CAT, "Row times column, as at first."),
    ):
        trace = attend(scene)
        (task,) = worksheet(trace, blanks_of(trace, ["output"])).tasks
        assert task.hints == (hint,)


def test_hidden_cells_are_left_out() -> None:
    sheet = sheet_of(CAT)
    assert "Causal mask" in " ".join(sheet.facts) and "Hatched" in " ".join(sheet.facts)
    for name in ("Q₁K₁ᵀ", "S₁", "A₁"):
        grid = by_name(sheet)[name]
        assert (grid.hidden == np.triu(np.ones((4, 4), dtype=bool), 1)).all()
        assert not (grid.blank & grid.hidden).any() and (grid.blank | grid.hidden).all()
    assert by_name(sheet)["A₁"].texts[0][1:] == ("0", "0", "0")
    assert by_name(sheet)["S₁"].texts[0][1:] == ("", "", "")
    trace = attend(CAT)
    masked = by_name(worksheet(trace, blanks_of(trace, ["masked"])))["S′₁"]
    assert masked.blank.all() and masked.texts[0] == ("0.71", "−∞", "−∞", "−∞")


def test_chosen_cells_alone() -> None:
    trace = attend(CAT)
    cells = [Cell("weights", 1, 2, 0), Cell("output", None, 0, 3)]
    sheet = worksheet(trace, cells)
    assert by_name(sheet)["A₂"].blank.sum() == 1 and not by_name(sheet)["A₁"].blank.any()
    assert by_name(sheet)["Y"].blank.tolist()[0] == [False, False, False, True]
    assert [line.cell for task in sheet.tasks for part in task.parts for line in part.worked] == cells
    assert "e^S₂" in by_name(sheet) and "e^S₁" not in by_name(sheet)


def test_scores_out_of_reach_are_shifted_first() -> None:
    sheet = sheet_of(CAT)  # its scores reach 11.3
    assert by_name(sheet)["e^S₁"].rows == ("The", "cat −max", "sat −max", "down")
    assert any("−max" in hint for task in sheet.tasks for hint in task.hints)
    tables = [table for task in sheet.tasks for table in task.tables]
    assert len(tables) == 2 and tables[1].note.startswith("e^(a+b) = e^a·e^b, so e^")


def test_positions_are_given_or_asked() -> None:
    added = TWO.replace(position=Sinusoidal())
    assert [grid.name.text for grid in sheet_of(added).given][0] == "X + P"
    assert "position has been added to X" in " ".join(sheet_of(added).facts)
    trace = attend(added)
    sheet = worksheet(trace, blanks_of(trace, ["x"]))
    assert [grid.name.text for grid in sheet.given] == ["X", "P"]
    np.testing.assert_allclose(sheet.given[0].values + sheet.given[1].values, sheet.grids[0].values)
    rotary = sheet_of(scene_of("rotary"))
    assert "Q" in [grid.name.text for grid in rotary.given] and "q" not in stages_of(rotary)
    assert "turned" in " ".join(rotary.facts)


def test_shared_keys_stand_with_the_first_head_that_reads_them() -> None:
    sheet = sheet_of(scene_of("shared-keys"))
    names = [[grid.name.text for grid in part.grids] for part in sheet.tasks[0].parts]
    assert names == [["Q₁", "K₁", "V₁"], ["Q₂"], ["Q₃", "K₂", "V₂"], ["Q₄"]]
    assert [part.grids[0].name.text for part in sheet.tasks[1].parts] == ["Q₁K₁ᵀ", "Q₂K₁ᵀ", "Q₃K₂ᵀ", "Q₄K₂ᵀ"]


def test_what_paper_has_no_room_for() -> None:
    with pytest.raises(WorksheetError, match="no cell is left blank"):
        worksheet(attend(TWO), [])
    wide = Scene(x=np.ones((2, 20)), w_q=np.ones((20, 1)), w_k=np.ones((20, 1)), w_v=np.ones((20, 1)))
    with pytest.raises(WorksheetError, match="X is 2 × 20, and paper has room for 24 × 18"):
        sheet_of(wide)
    long = Scene(x=np.ones((30, 1)), w_q=np.ones((1, 1)), w_k=np.ones((1, 1)), w_v=np.ones((1, 1)))
    with pytest.raises(WorksheetError, match="cells would be blank, and 800 are the most"):
        sheet_of(long)


def test_what_nobody_waits_for_ends_before_the_next_task() -> None:
    asked = []

    def going_on() -> None:
        asked.append(True)
        if len(asked) == 3:
            raise CancelledError

    trace = attend(CAT)
    blanks = blanks_of(trace, default_stages(CAT))
    with pytest.raises(CancelledError):
        worksheet(trace, blanks, going_on=going_on)
    assert len(asked) == 3 < len(worksheet(trace, blanks).tasks)


# ---- the answers ----


@given(scene=scenes())
@settings(max_examples=60)
def test_every_scene_makes_a_sheet_with_the_engines_answers(scene: Scene) -> None:
    trace = attend(scene)
    blanks = blanks_of(trace, default_stages(scene))
    try:
        sheet = worksheet(trace, blanks)
    except WorksheetError as error:
        assume("no cell is left blank" in str(error))
        return
    for line in (line for task in sheet.tasks for part in task.parts for line in part.worked):
        assert same(line.value, value(trace, line.cell))
    answered = {}
    for task in sheet.tasks:
        grids = [grid for part in task.parts for grid in part.grids if not grid.name.text.startswith("e^")]
        heads = {stage: iter(range(scene.heads)) for stage in task.stages}
        for grid in grids:
            stage = stage_of(task.stages, grid)
            head = next(heads[stage]) if STAGE[stage].per != "scene" else None
            for row, col in np.argwhere(grid.blank).tolist():
                answered[Cell(stage, head, row, col)] = grid.texts[row][col]
    assert answered == {cell: printed(value(trace, cell), 2) for cell in blanks}
    markdown([sheet])


def value(trace: Trace, cell: Cell) -> float:
    return float(trace.matrix(cell.place, cell.head)[cell.row, cell.col])


def same(one: float, other: float) -> bool:
    return one == other or (np.isnan(one) and np.isnan(other))


def stage_of(stages: tuple[str, ...], grid: Grid) -> str:
    """Of Q, K and V, which stand in one task, the one that the matrix is named after."""
    return stages[0] if len(stages) == 1 else grid.name.text[0].lower()


def test_powers_and_their_sums() -> None:
    sheet = sheet_of(CAT)
    trace = attend(CAT)
    grid = by_name(sheet)["e^S₂"]
    powers = np.where(trace.visible, np.exp(trace.scaled[1]), 0.0)
    np.testing.assert_allclose(grid.values, np.column_stack([powers, powers.sum(axis=1)]))
    np.testing.assert_allclose(grid.values[:, :-1] / grid.values[:, -1:], trace.weights[1])


def test_powers_past_float64_are_left_out_without_a_warning() -> None:
    assert not any(name.startswith("e^S") for name in by_name(sheet_of(CAT.replace(scale=1e308))))


def test_numbers_as_one_writes_them() -> None:
    assert [printed(value, 2) for value in (2.0, 0.5, 1 / 3, 0.0049, -0.004, 0.0, -np.inf, 1234.5678)] == [
        *("2", "0.5", "0.33", "0.00", "0.00", "0", "−∞", "1234.57"),
    ]


# ---- versions ----


@pytest.mark.parametrize("name", NAMES)
def test_versions_are_in_small_whole_numbers(name: str) -> None:
    scene = scene_of(name)
    made = versions(scene, 4, seed=7)
    assert [letter for letter, _version in made] == ["A", "B", "C", "D"]
    assert len({dump(version) for _letter, version in made}) == 4
    for _letter, version in made:
        assert version.tokens == scene.tokens and version.mask == scene.mask and version.heads == scene.heads
        trace = attend(version)
        for matrix in (version.x, version.w_q, version.w_k, version.w_v):
            assert (matrix == np.rint(matrix)).all() and np.abs(matrix).max() <= 2
        seen = trace.scaled[:, trace.visible]
        assert np.abs(seen).max() <= 4 + 1e-9
        assert max(np.abs(stack).max() for stack in (trace.q, trace.k, trace.v)) <= 4 + 1e-9
        several = trace.visible.sum(axis=1) > 1
        assert (trace.weights[:, several].max(axis=2) < 0.931).all()  # something is left to be worked out
        if scene.position.kind == "none":
            (table,) = [table for task in sheet_of(version).tasks for table in task.tables]
            assert len(table.rows) >= 2  # whole scores, so one table of e^x has them all


def test_a_seed_gives_the_same_versions_wherever_it_is_asked() -> None:
    first = [dump(version) for _letter, version in versions(CAT, 2, seed=7)]
    assert [dump(version) for _letter, version in versions(CAT, 5, seed=7)][:2] == first
    assert [dump(version) for _letter, version in versions(CAT, 2, seed=8)] != first
    # Fixed for ever: what a teacher printed last year can be printed again.
    _letter, version = versions(TWO, 1, seed=7)[0]
    assert (version.x.tolist(), version.w_q.tolist()) == ([[1, 1], [0, 1]], [[1, 0], [1, 1]])


def test_versions_of_everything_a_person_sets() -> None:
    scene = CAT.replace(
        b_q=np.full(4, 0.5), b_o=np.full(4, 0.5), position=Learned(table=np.full((4, 4), 0.3)), scale="none"
    )
    ((_letter, version),) = versions(scene, 1, seed=3)
    for matrix in (version.b_q, version.b_o, version.w_o, version.position.table):
        assert (matrix == np.rint(matrix)).all()
    sheet = sheet_of(version)
    assert "scaled" not in stages_of(sheet) and "b_q" in by_name(sheet)


def test_letters_go_on_after_z() -> None:
    letters = [letter for letter, _version in versions(TWO, 28, seed=1)]
    assert letters[25:] == ["Z", "AA", "AB"]


# ---- words ----


def test_every_text_is_there_in_every_language() -> None:
    for key, words in TEXTS.items():
        assert set(words) == {"en", "zh"}, key
        holes = [sorted(re.findall(r"\{(\w*)\}", text)) for text in words.values()]
        assert holes[0] == holes[1], key


def test_in_chinese() -> None:
    sheet = sheet_of(CAT, language="zh_CN", version="B")
    assert sheet.tasks[0].title == "查询、键、值"
    assert "因果掩码" in "".join(sheet.facts)
    text = markdown([sheet])
    assert "# 手算注意力 · B 卷" in text and "# 答案 · B 卷" in text


# ---- Markdown ----


def tables(text: str) -> list[list[list[str]]]:
    found = re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE)
    return [
        [[cell.strip(" *") for cell in line.strip("|").split(" | ")] for line in table.splitlines()]
        for table in found
    ]


def test_markdown_leaves_blanks_and_answers_them() -> None:
    sheet = sheet_of(TWO)
    asked, answered = tables(markdown([sheet], [EXERCISES])), tables(markdown([sheet], [ANSWERS]))
    x = next(table for table in asked if table[0][0] == "X")
    assert x[2:] == [["a1", "1", "1"], ["a2", "1", "0"]]
    weights = next(table for table in asked if table[0][0] == "A")
    assert [cell.strip() for cell in weights[2][1:]] == ["", ""]
    weights = next(table for table in answered if table[0][0] == "A")
    assert weights[2:] == [["a1", "0.33", "0.67"], ["a2", "0.5", "0.5"]]
    assert all(len({len(row) for row in table}) == 1 for table in (*asked, *answered))
    text = markdown([sheet], [EXERCISES])
    assert "0.67" not in text and "`αᵢ,ⱼ = e^sᵢ,ⱼ/Σₜ e^sᵢ,ₜ`" in text
    assert "`α₁,₂ = e^s₁,₂/Σⱼ e^s₁,ⱼ = e^1.41/(e^0.71 + e^1.41) = 4.11/6.14 = 0.67`" in markdown([sheet])


def test_labels_cannot_break_a_table() -> None:
    scene = TWO.replace(tokens=("a|b", "*x*\n`y`"), title="<b> # | [t]")
    text = markdown([sheet_of(scene)])
    assert "a\\|b" in text and "\\*x\\* \\`y\\`" in text and "**\\<b\\> \\# \\| \\[t\\]**" in text


def test_exercises_give_nothing_away() -> None:
    """No blank number stands in the exercises, other than in matrices that are given."""
    trace = attend(CAT)
    sheet = worksheet(trace, blanks_of(trace, ["head_outputs", "output"]))
    text = markdown([sheet], [EXERCISES])
    for grid in sheet.grids:
        for row, col in zip(*np.nonzero(grid.blank), strict=True):
            if "." in grid.texts[row][col]:
                others = [
                    t
                    for g in (*sheet.given, *sheet.grids)
                    for r, texts in enumerate(g.texts)
                    for c, t in enumerate(texts)
                    if not g.blank[r, c]
                ]
                assert grid.texts[row][col] in others or f" {grid.texts[row][col]} " not in text


def test_stage_names_are_all_known() -> None:
    assert {stage for stage in STAGE if f"title_{stage}" not in TEXTS} == set()
    assert number(1.0) == "1"
