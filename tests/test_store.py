"""What every store promises, whether a file or a database."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from stores import Place, add, entries, numbers, opened, own, put, run, standing, start_writing

from kortlek.table.store import Entry, Failed, Standing, Taken

pytest_plugins = ["stores"]


def test_what_was_written_is_there_after_closing_and_opening_in_order_and_from_any_number_on(place: Place) -> None:
    written = [*entries(1, 2, mid="m", body='"å\u2660\\u0000"'), *entries(3, mid="n"), *entries(4, 5, 6, 7, 8, 9, 10)]

    async def work() -> None:
        async with opened(place) as store:
            for part in (written[:2], written[2:3], written[3:]):
                await put(store, part, standing(at=part[0].seq))
                assert await store.read("AAAA") == written[: part[-1].seq]
        async with opened(place) as store:
            assert await store.read("AAAA") == written
            assert [await store.read("AAAA", since) for since in (0, 4, 10, 11)] == [written, written[4:], [], []]
            assert await store.read("BBBB") == []
            assert await store.standings() == [standing(at=4)]

    run(work())


def test_a_number_or_a_client_message_that_is_there_is_taken_and_then_nothing_is_written(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store:
            await add(store, 1, 2, mid="m", body="1")
            for wrong in (entries(2), entries(1, 2, 3), entries(3, mid="m"), entries(3, 4, 5, mid="m")):
                with pytest.raises(Taken):
                    await put(store, wrong, standing(line="2"))
            for wrong in (entries(4), entries(3, 5), entries(4, 3), [], [*entries(3), *entries(4, table="BBBB")], entries(3, table="BBBB")):
                with pytest.raises(ValueError, match="hole|append"):
                    await put(store, wrong, standing(line="2"))
            with pytest.raises(ValueError, match="twice"):
                await put(store, [*entries(3, mid="x"), *entries(4, mid="x")], standing(line="2"))
            with pytest.raises(Failed):
                await put(store, [Entry("AAAA", 3, 2**70, "", "{}")], standing(line="2"))
            assert await numbers(store) == [1, 2]
            assert await store.standings() == [standing(line="1")]
            await add(store, 1, table="BBBB", mid="m")
            await add(store, 3, mid="n")
            assert await numbers(store) == [1, 2, 3]

    run(work())


def test_of_those_who_write_the_same_number_at_once_one_succeeds(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as one, opened(place) as other:
            for seq in range(1, 11):
                bodies = [f"{seq} {writer}" for writer in range(6)]
                tries = [add((one, other)[turn % 2], seq, body=body) for turn, body in enumerate(bodies)]
                outcomes = await asyncio.gather(*tries, return_exceptions=True)
                (winner,) = (body for body, outcome in zip(bodies, outcomes) if outcome is None)
                assert [type(outcome) for outcome in outcomes if outcome] == [Taken] * 5
                assert [entry.body for entry in await other.read("AAAA", seq - 1)] == [winner]
                assert await one.standings() == [standing(line=winner)]

    run(work())


def test_an_append_that_cannot_be_does_not_spoil_the_others_that_wait(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store:
            await add(store, 1, mid="m")
            bad = [entries(1), entries(2, mid="m"), entries(7), entries(2, body="\ud800")]
            tries = [put(store, bad[n // 2 % 4], standing()) if n % 2 else add(store, 1, table=f"T{n}") for n in range(40)]
            outcomes = await asyncio.gather(*tries, return_exceptions=True)
            assert outcomes[::2] == [None] * 20
            assert [type(outcome) for outcome in outcomes[1:6:2]] == [Taken, Taken, ValueError]
            assert isinstance(outcomes[7], ValueError | Failed)
            assert await numbers(store) == [1]
            assert [await numbers(store, f"T{n}") for n in range(0, 40, 2)] == [[1]] * 20

    run(work())


def test_many_tables_at_once(place: Place) -> None:
    async def work() -> None:
        async def play(table: str) -> None:
            for seq in range(1, 20, 2):
                await add(store, seq, seq + 1, table=table, mid=f"m{seq}", body=f"{table}{seq}")

        tables = [f"T{n}" for n in range(20)]
        async with opened(place) as store:
            await asyncio.gather(*map(play, tables))
            for table in tables:
                pairs = (entries(seq, seq + 1, table=table, mid=f"m{seq}", body=f"{table}{seq}") for seq in range(1, 20, 2))
                assert await store.read(table) == [entry for pair in pairs for entry in pair]

    run(work())


def test_how_tables_stand_newest_first_each_once(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store:
            stand = [("A", True, "waiting"), ("B", False, "waiting"), ("C", True, "playing"), ("D", True, "over")]
            for at, (table, public, status) in enumerate(stand):
                await put(store, entries(1, table=table), Standing(table, 1, at, public, status, "{}"))
            await put(store, entries(2, table="A"), Standing("A", 2, 9, True, "playing", '"again"'))
            await put(store, entries(2, table="B"), Standing("B", 2, 2, False, "waiting", "{}"))
            assert (await store.standings())[0] == Standing("A", 2, 9, True, "playing", '"again"')

            async def codes(**wanted: Any) -> str:
                return "".join(each.table for each in await store.standings(**wanted))

            assert await codes() == "ADBC"
            assert await codes(public=True) == "ADC"
            assert await codes(public=False) == "B"
            assert [await codes(status=status) for status in ("waiting", "playing", "over", "gone")] == ["B", "AC", "D", ""]
            assert await codes(public=False, status="playing") == ""
            assert await codes(public=True, status="playing") == "AC"
            assert [await codes(limit=2), await codes(public=True, limit=1), await codes(status="playing", limit=1)] == ["AD", "A", "A"]

    run(work())


def test_a_standing_that_is_not_given_stays_as_it_was(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store:
            await add(store, 1, body="1")
            for seq in (2, 3):
                await put(store, entries(seq, mid=f"m{seq}"), None)
            assert await numbers(store) == [1, 2, 3]
            assert await store.standings() == [standing(line="1")]
            for wrong in ([], entries(4, 6), [*entries(4), *entries(5, table="BBBB")]):
                with pytest.raises(ValueError, match="append"):
                    await put(store, wrong, None)
            with pytest.raises(Taken):
                await put(store, entries(3), None)
            with pytest.raises(ValueError, match="hole"):
                await put(store, entries(5), None)

    run(work())


def test_appends_in_one_commit_follow_each_other_and_one_that_conflicts_harms_no_other(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store:
            for tries in range(5):
                first = 4 * tries + 1
                many = [put(store, entries(first + n), standing() if n % 2 else None) for n in range(4)]
                outcomes = await asyncio.gather(*many, add(store, 1, table=f"T{tries}"), return_exceptions=True)
                assert outcomes[-1] is None
                assert all(outcome is None or isinstance(outcome, ValueError | Taken) for outcome in outcomes)
                there = await numbers(store)
                assert there == list(range(1, len(there) + 1)) and len(there) >= first
                for seq in range(len(there) + 1, first + 4):
                    await put(store, entries(seq), None)

    run(work())


def test_the_number_of_a_client_message_is_found_however_old(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store:
            await add(store, 1, 2, mid="0/a")
            await add(store, 3)
            await add(store, 4, mid="1/a")
            await add(store, 1, table="BBBB", mid="1/a")
        async with opened(place) as store:
            asked = [("AAAA", "0/a"), ("AAAA", "1/a"), ("BBBB", "1/a"), ("BBBB", "0/a"), ("CCCC", "0/a"), ("AAAA", "")]
            assert [await store.seq_of(*each) for each in asked] == [2, 4, 1, None, None, None]

    run(work())


def test_tables_are_deleted_whole_and_only_those_that_nobody_has_touched_since(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store:
            for table, last in (("A", 3), ("B", 9), ("C", 1), ("D", 5)):
                await put(store, entries(*range(1, last + 1), table=table), standing(table, at=last))
            await put(store, entries(4, 5, 6, 7, 8, table="A"), None)  # its standing is older than its last entry
            assert await store.idle(1009, 9) == ["C", "A", "D"]
            assert await store.idle(1006, 9) == ["C", "D"]
            assert await store.idle(1009, 1) == ["C"]
            assert await store.delete(["A", "C", "Z"], 1006) == 1
            assert [await numbers(store, table) for table in "ACD"] == [[*range(1, 9)], [], [*range(1, 6)]]
            assert {each.table for each in await store.standings()} == {"A", "B", "D"}
            assert await store.delete(["A", "B"]) == 2
            assert [each.table for each in await store.standings()] == ["D"]
            await own(store, "A")
            await add(store, 1, table="A", mid="again")
        async with opened(place) as store:
            assert [await numbers(store, table) for table in "ABCD"] == [[1], [], [], [*range(1, 6)]]

    run(work())


def test_deleting_and_appending_at_once_leaves_a_log_whole_or_gone(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store, opened(place) as other:
            for n in range(30):
                table = f"T{n}"
                await add(store, 1, 2, table=table)
                deleting = store.delete([table], 1003) if n % 2 else store.delete([table])
                tries: Any = await asyncio.gather(other.append(entries(3, table=table), None), deleting, return_exceptions=True)
                there = await numbers(store, table)
                assert there == ([1, 2, 3] if tries[0] is None and there else [])
                assert [each.table for each in await store.standings(limit=1000)].count(table) == bool(there)

    run(work())


def test_a_probe_writes(place: Place) -> None:
    async def work() -> None:
        store = place()
        with pytest.raises(Failed, match="closed"):
            await store.probe()
        async with opened(place) as store:
            await store.probe()
            assert await store.damage() == ""
            assert await store.standings() == []

    run(work())


def test_closing_finishes_what_was_begun_and_refuses_the_rest(place: Place) -> None:
    async def work() -> None:
        store = place()
        with pytest.raises(Failed, match="closed"):
            await add(store, 1)
        await store.open()
        await own(store, *(f"T{n}" for n in range(50)))
        begun = [add(store, 1, table=f"T{n}") for n in range(50)]
        reads = [store.read(f"T{n}") for n in range(50)]
        await asyncio.gather(*reads, *begun, store.close())
        for late in (add(store, 2, table="T1"), store.read("T1"), store.standings()):
            with pytest.raises(Failed, match="closed"):
                await late
        await store.close()
        async with opened(place) as again:
            assert [await numbers(again, f"T{n}") for n in range(50)] == [[1]] * 50

    run(work())


def test_who_gives_up_waiting_does_no_harm(place: Place) -> None:
    async def work() -> None:
        async with opened(place) as store:
            await own(store, *(f"T{n}" for n in range(20)))
            for n in range(20):
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0):
                        await add(store, 1, 2, table=f"T{n}")
            await add(store, 1)
        async with opened(place) as store:
            assert await numbers(store) == [1]
            for n in range(20):
                there = await numbers(store, f"T{n}")
                assert there in ([], [1, 2])
                await add(store, len(there) + 1, table=f"T{n}")

    run(work())


@pytest.mark.parametrize("lines", [1, 30, 200])
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(place: Place, lines: int) -> None:
    async def work() -> None:
        async with opened(place) as reader:
            writer = start_writing(reader)
            assert writer.stdout is not None
            acknowledged = []
            for _ in range(lines):
                acknowledged.append(writer.stdout.readline().split())
                assert int(acknowledged[-1][1]) in await numbers(reader, acknowledged[-1][0])
            writer.kill()
            acknowledged += [line.split() for line in writer.stdout.read().rpartition("\n")[0].splitlines()]
            writer.wait()
        async with opened(place) as again:
            for table, seq in acknowledged:
                log = await again.read(table)
                assert int(seq) <= len(log)
                assert log == [each for n in range(1, len(log) + 1) for each in entries(n, table=table, mid=str(n), body=table * 50)]
            await add(again, len(log) + 1, table=table)

    run(work())
