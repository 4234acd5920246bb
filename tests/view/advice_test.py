#!/usr/bin/env python3
"""The judgement and the reports of nopal-view on recordings whose numbers are known. No clock."""
import contextlib
import io
import json
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import recordings
from recordings import FAULTS, LOOP, MS, SOUND, recording, run, site, span

recordings.import_view()
from view import advice, diff, live, main, markdown, record, report  # noqa: E402
from view.fault import Fault  # noqa: E402
from view.figures import Figures, short_name  # noqa: E402


def names(made):
    return [one["name"] for one in advice.judge(made)[1]]


class Pathologies(unittest.TestCase):
    def test_each_seeded_fault_is_named_first(self):
        for program, (name, make) in FAULTS.items():
            with self.subTest(program):
                self.assertEqual(names(make())[:1], [name])

    def test_each_has_numbers_a_remedy_and_a_place(self):
        for program, (name, make) in FAULTS.items():
            found = advice.judge(make())[1][0]
            with self.subTest(program):
                self.assertRegex(found["evidence"], r"\d")
                self.assertEqual(found["remedy"], advice.REMEDY[name])
        found = advice.judge(FAULTS["long_item"][1]())[1][0]
        self.assertEqual(found["site"], "program.cpp:10")

    def test_sound_programs_get_no_fault(self):
        for program, make in SOUND.items():
            with self.subTest(program):
                self.assertEqual(names(make()), [])

    def test_every_rule_is_reached_by_a_fault(self):
        reached = {name for name, _ in FAULTS.values()} | {"memory bandwidth"}
        self.assertEqual(reached, set(advice.REMEDY))
        self.assertEqual(names(recording(copies=1.6, inflation=1.6)), ["memory bandwidth"])

    def test_below_15_percent_nothing_is_said_of_the_span(self):
        self.assertEqual(names(recording(exact=span(longest=30, outside=29, sites=[LOOP]))), [])
        self.assertEqual(names(recording(exact=span(longest=40, outside=39, sites=[LOOP]))),
                         ["serial part"])

    def test_a_span_of_strands_too_short_to_measure_is_a_bound_and_no_cause(self):
        for shared, found in ((90, ["serial part"]), (110, [])):
            made = recording(exact=span(longest=80, outside=79, sites=[LOOP], shared=shared))
            self.assertEqual(names(made), found)
            made = report.make(made)
            text = json.dumps(made)
            self.assertEqual("no number of workers" in text, bool(found))
            self.assertEqual("too short to be measured one by one" in text, not found)

    def test_a_span_of_the_first_thread_alone_is_no_cause(self):
        for work, found in ((20, ["serial part"]), (30, [])):
            exact = span(longest=80, outside=79, sites=[LOOP])
            exact["threads"] = [{"work_ns": work * MS}]
            made = recording(exact=exact)
            self.assertEqual(names(made), found)
            text = json.dumps(report.make(made))
            self.assertEqual("no number of workers" in text, bool(found))
            self.assertEqual("of other threads than the first" in text, not found)
            self.assertEqual(Figures(recording(counts=(2,), exact=exact)).t1() is None, not found)

    def test_a_program_that_sets_its_workers_is_named(self):
        made = recording(counts=(1, 2))
        self.assertNotIn("asked for", json.dumps(report.make(made)))
        made["runs"][1]["statistics"]["nworkers"] = 1
        self.assertIn("Where 2 workers were asked for the program had 1: it sets",
                      json.dumps(report.make(made)))

    def test_the_last_victim_stands_for_more_and_is_not_one_victim(self):
        for victim, found, word in ((62, ["one victim"], "from worker 62."),
                                    (63, [], "from worker 63 and up.")):
            matrix = [[0] * 64 for _ in range(64)]
            matrix[1][victim] = 500
            made = recording(counts=(1, 64), processors=64, matrix=matrix, work=2000)
            self.assertEqual(names(made), found)
            self.assertIn(word, report.make(made)["answers"][2]["sentence"])

    def test_the_runtime_names_causes_from_the_same_percentage(self):
        text = (recordings.SOURCE / "runtime/src/stats/verdict.cpp").read_text()
        self.assertIn(f"kLeastPercent = {advice.LEAST_LOST};", text)

    def test_a_fault_in_one_round_of_three_is_not_named(self):
        made = recording()
        made["runs"][1]["statistics"]["verdict"].update(cause="serial_end", lost_percent=50)
        self.assertEqual(names(made), [])

    def test_work_that_is_little_of_the_processors_time_is_no_contention(self):
        self.assertEqual(names(recording(inflation=3.0)), ["contention"])
        self.assertEqual(names(recording(inflation=3.0, blocked=0.9)), [])
        self.assertEqual(names(recording(copies=1.6, inflation=1.6, blocked=0.9)), [])

    def test_a_long_serial_start_before_a_short_run_is_judged(self):
        made = recording(work=4, cause="serial_start", lost=50)
        for one in made["runs"]:
            one["statistics"]["summary"]["before_start_ns"] = 300 * MS
        self.assertEqual(names(made), ["serial part"])
        self.assertNotIn("too short", json.dumps(report.make(made)))

    def test_a_short_run_is_not_judged(self):
        made = recording(work=4, cause="too_fine", lost=50)
        self.assertEqual(names(made), [])
        self.assertIn("too short", report.make(made)["answers"][-1]["sentence"])


class Numbers(unittest.TestCase):
    def test_prediction_of_a_serial_part_is_amdahls(self):
        figures = Figures(recording(exact=span(work=200, longest=50)))
        for count in (1, 2, 4, 64):
            self.assertAlmostEqual(figures.predict(0.25, count), 1 / (0.25 + 0.75 / count))
        last = figures.predictions()["rows"][-1]
        self.assertEqual(last["workers"], 64)
        self.assertAlmostEqual(last["span_law"], 4)
        self.assertLess(last["burdened_bound"], last["expected"])

    def test_without_a_span_it_is_fitted(self):
        figures = Figures(recording(counts=(1, 2, 4), serial=50))
        fraction, how = figures.serial_fraction()
        self.assertEqual(how, "fitted")
        self.assertAlmostEqual(fraction, 0.25, places=3)

    def test_estimate_bounds_the_prediction(self):
        made = recording(counts=(1, 2), serial=50)
        last = Figures(made).predictions()["rows"][-1]
        self.assertNotIn("at_least", last, "an older runtime says nothing")
        made["wide"] = [run(32) for _ in range(3)]
        for wide, least, most in zip(made["wide"], (7, 8, 9), (20, 16, None)):
            verdict = wide["statistics"]["verdict"]
            verdict.update(work_least_ns=190 * MS, work_most_ns=210 * MS, span_least_ns=12 * MS,
                           span_most_ns=24 * MS, parallelism_least=least)
            if most:
                verdict["parallelism_most"] = most
        self.assertEqual(Figures(made).estimate()["parallelism"], (8, 20))
        last = Figures(made).predictions()["rows"][-1]
        self.assertAlmostEqual(last["at_least"], 1 / (1 / 64 + 63 / 64 / 8))
        self.assertEqual(last["at_most"], 20)
        self.assertEqual(last["expected"], last["at_least"], "the fit says 3.8")
        answer = report.make(made)["answers"][0]
        self.assertIn("with 64 workers expect 7.2 to 20.0 (estimated)", answer["sentence"])
        self.assertEqual(answer["tables"][-1]["rows"][-1], ["parallelism", 8, 20])
        made["span"] = span()
        self.assertNotIn("at_least", Figures(made).predictions()["rows"][-1], "exact is better")

    def test_no_bound_is_no_number(self):
        made = recording(counts=(2,), rounds=1)
        made["runs"][0]["statistics"]["verdict"].update(
            work_least_ns=190 * MS, work_most_ns=210 * MS, span_least_ns=0, span_most_ns=100 * MS,
            parallelism_least=1.9)
        self.assertEqual(Figures(made).estimate()["parallelism"], (1.9, None))
        last = Figures(made).predictions()["rows"][-1]
        self.assertEqual(last["at_most"], 64)
        self.assertNotIn("expected", last)
        self.assertIn("expect 1.9 or more", report.make(made)["answers"][0]["sentence"])

    def test_inflation_of_each_site(self):
        made = recording(counts=(1, 2), sites=[site(line=10), site(line=20), site(line=30)])
        for one in made["runs"]:
            times = {1: (400, 200, 30), 2: (410, 500, 80)}[one["workers"]]
            one["statistics"]["sites"] = [{**site(line=line), "work_ns": time * MS}
                                          for line, time in zip((10, 20, 30), times)]
        inflation = {row["place"]: row["inflation"] for row in Figures(made).sites()}
        self.assertEqual(inflation, {"program.cpp:10": 1.025, "program.cpp:20": 2.5,
                                     "program.cpp:30": None}, "too few samples of the last")
        answer = next(one for one in report.make(made)["answers"] if one["key"] == "sites")
        self.assertIn("Most at program.cpp:20: 2.50 times.", answer["sentence"])

    def test_contention_is_at_the_site_whose_work_grows_most(self):
        made = recording(inflation=1.4, exact=span(sites=[(10, "loop", 512, 110, 1),
                                                          (20, "spawn", 512, 50, 1)]))
        for one in made["runs"]:
            times = {1: (110, 50, 40), 2: (112, 125, 60)}[one["workers"]]
            one["statistics"]["sites"] = [{**site(line=line), "work_ns": time * MS}
                                          for line, time in zip((10, 20, 30), times)]
        found, = advice.findings(Figures(made))
        self.assertEqual((found["name"], found["site"]), ("contention", "program.cpp:20"))
        self.assertIn("75.0 ms more of 125.0 ms at program.cpp:20", found["evidence"])

    def test_shares_add_up_to_one(self):
        shares = Figures(recording(serial=50)).time_shares(2)
        self.assertAlmostEqual(sum(shares.values()), 1)
        self.assertAlmostEqual(shares["idle"], 50 / 250, places=3)

    def test_medians_ignore_one_bad_round(self):
        made = recording()
        made["runs"][1]["wall_ns"] *= 50
        self.assertAlmostEqual(Figures(made).speedups()[2], 2)

    def test_rounds_that_differ_are_said_by_how_much(self):
        made = recording()
        self.assertNotIn("slowest round", " ".join(advice.judge(made)[2]))
        [one for one in made["runs"] if one["workers"] == 2][1]["wall_ns"] *= 3
        self.assertIn("The slowest round took 3.0 times as long as the fastest.",
                      advice.judge(made)[2])

    def test_sites_are_joined_by_place(self):
        made = recording(sites=[site(file="/a/b/program.cpp", steals=3, stolen_ns=5 * MS)],
                         exact=span(sites=[LOOP]))
        rows = Figures(made).sites()
        self.assertEqual([(row["place"], row["steals"], row["spawns"]) for row in rows],
                         [("program.cpp:10", 3, 512)])

    def test_instances_and_files_of_one_name_are_sites_of_their_own(self):
        heavy, light = {"steals": 5, "stolen_ns": 900 * MS}, {"steals": 1, "stolen_ns": 2 * MS}
        for others in ([site("f<2>()", **light), site("f<3>()", **light)],
                       [site("g()", file="/b/program.cpp", **light)]):
            rows = Figures(recording(sites=[site("f<1>()", **heavy), *others])).sites()
            self.assertEqual([(row["function"], row["steals"]) for row in rows],
                             [("f<1>()", 5), *((other["function"], 1) for other in others)])

    def test_what_is_outside_of_all_spawns_has_a_row(self):
        made = report.make(recording(exact=span(longest=80, outside=60, sites=[LOOP])))
        answer = next(one for one in made["answers"] if one["key"] == "sites")
        self.assertIn("The heaviest site is program.cpp:10", answer["sentence"])
        row = answer["tables"][0]["rows"][-1]
        self.assertEqual((row[0], row[8], row[9]), ("outside of all spawns", 60, 75))
        self.assertEqual(answer["charts"][0]["labels"][-1], "outside of all spawns")

    def test_static_functions_of_a_header_are_one_site(self):
        parts = [site(steals=2, work_ns=3 * MS, alone_longest_ns=7),
                 site(steals=5, work_ns=4 * MS, alone_longest_ns=6)]
        row, = Figures(recording(sites=parts)).sites()
        self.assertEqual((row["steals"], row["sampled_ns"], row["longest_alone_ns"]),
                         (7, 7 * MS, 7))

    def test_a_site_that_was_inlined_elsewhere_is_joined_by_its_line(self):
        made = recording(sites=[site("main", steals=3)], exact=span(sites=[LOOP]))
        row, = Figures(made).sites()
        self.assertEqual((row["steals"], row["spawns"]), (3, 512))
        made = recording(sites=[site("main", steals=3), site("g()", steals=4)],
                         exact=span(sites=[LOOP]))
        self.assertEqual(sorted((row["function"], row["steals"], row.get("spawns"))
                                for row in Figures(made).sites()),
                         [("f()", 0, 512), ("g()", 4, None), ("main", 3, None)])

    def test_a_serial_start_is_work_of_worker_0(self):
        made = recording(counts=(2,))
        for one in made["runs"]:
            one["statistics"]["summary"]["before_start_ns"] = 300 * MS
        first, second = Figures(made).worker_rows(2)
        self.assertEqual((first["work_ms"], first["idle_ms"]), (400, 0))
        self.assertEqual((second["work_ms"], second["idle_ms"]), (100, 300))

    def test_a_timeline_begins_with_the_serial_start(self):
        line = {"times_ns": [10, 20, 30], "stack_bytes": [5, 5, 5],
                "workers": [{"working": [1, 1, 1], "stealing": [0, 0, 0]} for _ in range(2)]}
        made = live.with_serial_start(line, 20)
        self.assertEqual(made["times_ns"], [10, 20, 30, 40, 50])
        self.assertEqual(made["stack_bytes"], [0, 0, 5, 5, 5])
        self.assertEqual([row["working"] for row in made["workers"]],
                         [[1, 1, 1, 1, 1], [0, 0, 1, 1, 1]])

    def test_timeline_is_shares_of_each_interval(self):
        rows = [(0, [(0, 0, 0, 0, 0, 1)], 10), (100, [(0, 0, 50, 25, 25, 1)], 20),
                (200, [(0, 0, 150, 25, 25, 1), (0, 0, 100, 0, 0, 1)], 30)]
        made = live.timeline(rows)
        self.assertEqual(made["workers"][0], {"working": [0.5, 1], "stealing": [0.25, 0]})
        self.assertEqual(made["workers"][1]["working"], [0, 1])
        self.assertIsNone(live.timeline(rows[:2]))

    def test_a_process_that_exec_has_not_mapped_yet_is_read_later(self):
        process = mock.Mock()
        process.page.side_effect = [live.Gone(), None, "page"]
        process.workers.return_value = [(0, 0, 0, 0, 0, 1)]
        process.stack_bytes.return_value = 10
        with mock.patch.object(live, "Process", return_value=process), \
                mock.patch.object(live, "has_ended", side_effect=5 * [False] + [True]):
            self.assertEqual(live.record(0, None)["stack_bytes"].count(10), 2)


class Reports(unittest.TestCase):
    def test_six_answers_in_order_with_a_sentence_each(self):
        for make in [make for _, make in FAULTS.values()] + list(SOUND.values()):
            made = report.make(make())
            self.assertEqual([answer["key"] for answer in made["answers"]],
                             ["speedup", "time", "steals", "sites", "memory", "advice"])
            for answer in made["answers"]:
                self.assertRegex(answer["sentence"], r"^[A-Z0-9].*[.]$", answer["key"])
                for chart in answer["charts"]:
                    for series in chart["series"]:
                        self.assertEqual(len(series["values"]), len(chart["labels"]))
            json.dumps(made, allow_nan=False)

    def test_markdown_has_at_most_200_lines_and_names_the_fault(self):
        sites = [site(line=line, steals=line) for line in range(1, 3000)]
        made = recording(counts=(1, 80), processors=128, sites=sites, inflation=3.0, work=2000,
                         matrix=[[7] * 80] * 80)
        text = markdown.render(report.make(made))
        self.assertLessEqual(len(text.splitlines()), 200)
        self.assertIn("**contention**", text)

    def test_markdown_keeps_what_to_do_whatever_is_cut_off(self):
        made = recording(inflation=3.0)
        made["races"] = 20 * [RACE]
        text = markdown.render(report.make(made))
        self.assertLessEqual(len(text.splitlines()), 200)
        self.assertIn("The rest is in the JSON report.\n\n## What should I do?", text)
        self.assertIn("**contention**", text)

    def test_names_of_templates_are_no_tags_in_markdown(self):
        text = markdown.render(report.make(recording(sites=[site("f<long>(long)")],
                                                     inflation=3.0)))
        self.assertIn("f\\<long>(long)", text)
        self.assertNotIn("f<long>", text)

    def test_memory_beyond_the_bound_is_said(self):
        beyond = 2 * report.PAGES_BEYOND_BOUND * report.PAGE_BYTES // 1024
        for peak, word in ((64 + beyond, "Yes: "), (65 + beyond, "No: ")):
            sentence = report.make(recording(memory=(peak, 64)))["answers"][4]["sentence"]
            self.assertTrue(sentence.startswith(word), sentence)

    def test_processor_time_that_is_not_known_is_no_number(self):
        made = recording(counts=(2,), rounds=1, exact=span(sites=[LOOP]))
        made["runs"][0]["cpu_ns"] = None  # a file of CILK_STATS alone
        times = report.make(made)["answers"][0]["tables"][0]
        self.assertEqual((times["headings"][-1], times["rows"][0][-1]), ("processor ms", None))

    def test_statistics_of_an_older_runtime_are_shown(self):
        made = recording()
        for one in made["runs"]:
            statistics = one["statistics"]
            del statistics["verdict"], statistics["summary"]
            for row in statistics["workers"]:
                del row["steals_from"], row["working_cpu_ns"]
            del statistics["total"]["working_cpu_ns"]
        self.assertEqual(names(made), [])
        self.assertIn("do not say", report.make(made)["answers"][2]["sentence"])


class Differences(unittest.TestCase):
    def test_slower_with_a_new_fault(self):
        text = diff.compare(recording(), recording(inflation=3.0))
        self.assertRegex(text, r"second is 3\.00 times slower\. New: contention\.")

    def test_no_difference(self):
        self.assertIn("no difference", diff.compare(recording(), recording()))

    def test_other_arguments_are_said(self):
        old, new = recording(), recording()
        old["command"], new["command"] = ["./a", "60"], ["./b", "60"]
        self.assertNotIn("differ:", diff.compare(old, new))
        new["command"] = ["./b", "30"]
        self.assertIn("the commands differ: `./a 60` and `./b 30`.", diff.compare(old, new))
        for one in new["runs"]:
            one["cpu_ns"] = None  # a file of CILK_STATS: the arguments are not known
        self.assertNotIn("differ:", diff.compare(old, new))

    def test_sites_match_though_lines_moved(self):
        old = recording(exact=span(sites=[(10, "loop", 512, 100, 1)]))
        new = recording(exact=span(sites=[(12, "loop", 512, 150, 1)]))
        for made, line in ((old, 10), (new, 12)):
            for one in made["runs"]:
                one["statistics"]["sites"] = [site(line=line)]
        self.assertIn("| program.cpp:12 | f() | 0.0 | 0.0 | 100.0 | 150.0 | +50 % |",
                      diff.compare(old, new))

    def test_sites_show_their_work_and_not_if_they_did_nothing(self):
        old, new = recording(), recording()
        for made, work in ((old, 300 * MS), (new, 360 * MS)):
            for one in made["runs"]:
                one["statistics"]["sites"] = [site(work_ns=work), site("idle()", 20, work_ns=0)]
        said = diff.compare(old, new)
        self.assertIn("work ms before", said)
        self.assertIn("| program.cpp:10 | f() | 0.0 | 0.0 | 300.0 | 360.0 | +20 % |", said)
        self.assertNotIn("idle()", said)

    def test_names_of_templates_are_short_and_kept_apart(self):
        names = [f"void sort<std::vector<{kind}, allocator<{kind}>>, std::less<{kind}>>(A, B)"
                 for kind in ("int", "long")]
        made, slower = recording(), recording()
        for one in made["runs"]:
            one["statistics"]["sites"] = [site(function, line, steals=3) for line, function
                                          in enumerate(names, 10)]
        for one in slower["runs"]:
            one["statistics"]["sites"] = [site(function, line, steals=3) for line, function
                                          in enumerate(reversed(names), 20)]
        said = diff.compare(made, slower)
        self.assertEqual(said.count("| void sort\\<...>(A, B) |"), 2, said)
        self.assertEqual(short_name("bool operator<" + names[0][9:]), "bool operator<<...>(A, B)")
        self.assertEqual(short_name("x" * 100), "..." + "x" * 57)


def access(kind, line, function, *notes):
    return {"kind": kind, "file": "a.cpp", "line": line, "column": 3, "function": function,
            "code": "a+0x10", "stack": [{"file": "a.cpp", "line": line + deeper, "column": 1,
                                         "function": function, "note": note}
                                        for deeper, note in enumerate(notes)]}


RACE = {"memory": "`total`", "later": access("read", 0, "main", ""),
        "earlier": access("write", 7, "add(long)", "", "the spawn at a.cpp:9:3"),
        "spawn": {"file": "a.cpp", "line": 9, "column": 3, "function": "main"},
        "parting": "the earlier is in the child spawned at a.cpp:9:3", "count": 1200,
        "remedy": "put a cilk_sync before a.cpp:12:24"}
RANK = {"rank": 0, "workers": 2, "steps": 90, "steals": 3, "failed_steals": 1, "lifelines": 2,
        "bags_taken": 4, "bags_given": 5, "messages": 60, "sent_bytes": 700, "busy_seconds": 3.0,
        "run_seconds": 2.0}


class RacesAndRanks(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="nopal-view-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(json.dumps(content))
        return path

    def test_a_race_has_both_accesses_both_stacks_and_a_remedy(self):
        path = self.write("races.json", {"version": 1, "races": [RACE]})
        made = report.make(record.load(path))
        text = markdown.render(made)
        self.assertIn("No: 1 pair of accesses race on this input, the first on total.", text)
        self.assertIn("**race on total** at `a.cpp (no line)`", text)
        self.assertIn("a write at a.cpp:7:3 in add(long)", text)
        self.assertIn("Seen 1,200 times.", text)
        self.assertIn("Put a cilk_sync before a.cpp:12:24.", text)
        self.assertIn("| earlier write | a.cpp:8:1 | add(long) | the spawn at a.cpp:9:3 |", text)
        self.assertEqual(report.make(record.load(self.write("r.json", made))), made)

    def test_races_join_a_report_of_speed(self):
        path = self.write("x.json", report.make(recording()))
        for races, words in (([RACE], "No: 1 pair"), ([], "On this input, yes")):
            found = self.write("races.json", {"version": 1, "races": races})
            made = report.make(record.load(path, races_path=found))
            self.assertEqual([one["key"] for one in made["answers"]][-2:], ["races", "advice"])
            self.assertIn(words, markdown.render(made))

    def test_ranks_over_workers(self):
        path = self.write("x[1]*.ranks.json", {"ranks": [
            RANK, {**RANK, "rank": 1, "busy_seconds": 1.0, "bags_taken": 6}]})
        self.write("x[1]*.rank1.json", run(2)["statistics"])
        self.write("x[1]*.rank0.json", run(2)["statistics"])
        made = report.make(record.load(path))
        answer, = made["answers"]
        self.assertEqual(answer["sentence"], "2 ranks were busy for 50 % of the time; the least "
                         "busy one, rank 1, for 25 %. 10 bags went from one rank to another.")
        busy, by_worker = answer["charts"]
        self.assertEqual([series["values"] for series in busy["series"]], [[3, 1], [1, 3]])
        self.assertEqual(by_worker["labels"], ["rank 0, worker 0", "rank 0, worker 1",
                                               "rank 1, worker 0", "rank 1, worker 1"])
        self.assertIn("| rank 1 | 2 | 25.0 | 90 |", markdown.render(made))
        self.assertEqual(report.make(record.load(self.write("r.json", made))), made)

    def test_spawns_that_were_not_watched(self):
        made = report.make(record.load(self.write(
            "unseen.json", {"version": 1, "unseen_spawn": "a.cpp:3:5", "races": []})))
        answer = next(one for one in made["answers"] if one["key"] == "races")
        self.assertIn("Not known: the spawn at a.cpp:3:5", answer["sentence"])

    def test_what_is_neither_is_refused(self):
        for content, words in (({"version": 2, "races": []}, "not version 1"),
                               ({"version": 1, "races": [{}]}, "is damaged"),
                               ({"ranks": []}, "has no ranks"),
                               ({"ranks": [{"rank": 0}]}, "has no ranks")):
            with self.assertRaisesRegex(Fault, words):
                record.load(self.write("bad.json", content))
        with self.assertRaisesRegex(Fault, "no runs to compare"):
            record.load_runs(self.write("races.json", {"version": 1, "races": []}))


class Files(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="nopal-view-")
        self.addCleanup(self.temporary.cleanup)
        self.path = Path(self.temporary.name) / "file.json"

    def refused(self, text, words):
        self.path.write_text(text)
        with self.assertRaisesRegex(Fault, words):
            record.load(self.path)

    def test_statistics_and_reports_are_loaded(self):
        statistics = run(2)["statistics"]
        self.path.write_text(json.dumps(statistics))
        self.assertEqual(record.load(self.path)["runs"][0]["statistics"], statistics)
        self.assertEqual(record.load(self.path)["runs"][0]["wall_ns"], 100 * MS)
        statistics["summary"]["before_start_ns"] = 300 * MS
        self.path.write_text(json.dumps(statistics))
        self.assertEqual(record.load(self.path)["runs"][0]["wall_ns"], 400 * MS)
        self.path.write_text(json.dumps(report.make(recording())))
        self.assertEqual(len(record.load(self.path)["runs"]), 6)

    def test_what_is_no_statistics_is_refused_in_words(self):
        self.refused("", "is empty: the program has not ended")
        self.refused("{", "is not a statistics file")
        self.refused("[1]", "is not a statistics file")
        self.path.write_bytes(b"\x0a\x2e\xe2\x28\xa1")  # a trace
        with self.assertRaisesRegex(Fault, "is not a statistics file: it is not text"):
            record.load(self.path)
        self.refused('{"a": 1}', "not a file of CILK_STATS, of CILK_RACE_OUT or of")
        self.refused(json.dumps({**run(2)["statistics"], "schema": 9}), "schema 9")
        self.refused('{"recording": {"command": ["a"]}}', "damaged report .* lacks copies, ")
        self.refused('{"recording": 1}', "damaged report")
        with self.assertRaisesRegex(Fault, "cannot read"):
            record.load(self.path.with_name("none.json"))

    def test_what_is_no_work_and_span_is_refused_in_words(self):
        self.path.write_text(json.dumps(run(2)["statistics"]))
        with self.assertRaisesRegex(Fault, "not a record of work and span"):
            record.load(self.path, self.path)
        counted = self.path.with_name("span.json")
        counted.write_text(json.dumps({**span(sites=[LOOP]), "clock": record.COUNTER}))
        with self.assertRaisesRegex(Fault, "counts what the program says"):
            record.load(self.path, counted)

    def test_a_report_does_not_overwrite_what_it_is_made_from(self):
        text = json.dumps(run(2)["statistics"])
        self.path.write_text(text)
        trace = self.path.with_name("trace.json")
        trace.write_text("[]")
        for output in ("file.html", "trace.html"):
            words = ["show", str(self.path), str(trace), "-o", str(self.path.with_name(output))]
            with contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(main.main(words), 1)
            self.assertIn("which it is made from", said.getvalue())
        self.assertEqual(self.path.read_text(), text)
        self.assertEqual(trace.read_text(), "[]")

    def test_each_damaged_field_ends_in_a_word_or_a_report(self):
        race = {"memory": "`x`", "later": {"kind": "read", "function": "f", "stack": []},
                "earlier": {"kind": "write", "function": "f", "stack": []}, "parting": "",
                "remedy": "sync", "count": 1}
        statistics = self.path.with_name("statistics.json")
        statistics.write_text(json.dumps(run(2)["statistics"]))
        refused = 0
        for words, whole in (([], run(2)["statistics"]), ([], {"version": 1, "races": [race]}),
                             ([], report.make(recording(counts=(2,), rounds=1))),
                             ([str(statistics), "--span"], span(sites=[LOOP]))):
            for text in recordings.damaged(whole):
                self.path.write_text(text)
                with contextlib.redirect_stderr(io.StringIO()) as said, \
                        contextlib.redirect_stdout(io.StringIO()):
                    status = main.main(["show", *words, str(self.path)])
                self.assertEqual(status == 1, said.getvalue().startswith("nopal-view: '"), text)
                refused += status
        self.assertGreater(refused, 100)

    def test_files_in_the_wrong_place(self):
        self.refused(json.dumps(span()), "give it with --span")

    def test_damaged_files_end_in_a_word_or_a_report(self):
        text = json.dumps(run(2)["statistics"])
        draw = random.Random(25)
        for _ in range(200):
            self.path.write_text(text[:draw.randrange(len(text))])
            with self.assertRaises(Fault):
                record.load(self.path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
