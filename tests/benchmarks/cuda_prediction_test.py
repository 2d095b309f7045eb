"""Predictions are the sums that cuda_prediction.py says they are, and reports judge by the goals of the task."""

import unittest

import cuda_prediction as prediction
import gpu_report


def kernel(launches, read, written, barriers=0, scope="block"):
    return {"scope": scope, "launches": launches, "barriers": barriers, "read_bytes": read, "written_bytes": written,
            "accessed_bytes": read + written}


def row(particles, kernels):
    return {"name": "task", "particles": particles, "substeps": 2, "kernels": kernels}


MEMORY = prediction.Memory("test", 1e12)


class StepTime(unittest.TestCase):
    def test_a_kernel_takes_its_launches_and_its_bytes_at_sixty_percent(self):
        launches, busy = prediction.kernel_times(kernel(3, 4e6, 2e6), MEMORY)
        self.assertAlmostEqual(launches, 3 * prediction.NODE)
        self.assertAlmostEqual(busy, 6e6 / 0.6e12)

    def test_barriers_count_where_they_take_longer_than_the_bytes(self):
        _, busy = prediction.kernel_times(kernel(1, 32, 0, 500, "grid"), MEMORY)
        self.assertAlmostEqual(busy, 500 * prediction.BARRIER["grid"])

    def test_a_step_adds_one_replay(self):
        step = prediction.step_time(row(10, {"a": kernel(2, 6e6, 0), "b": kernel(1, 0, 0)}), MEMORY)
        self.assertAlmostEqual(step.total, prediction.REPLAY + 3 * prediction.NODE + 1e-5)


class Cubes(unittest.TestCase):
    def setUp(self):
        self.cubes = [row(10**3, {"a": kernel(2, 2 * 10**3 * 300, 0)}), row(20**3, {"a": kernel(2, 2 * 20**3 * 200, 0)})]

    def test_bytes_are_those_counted_at_the_sizes_that_were_counted(self):
        self.assertAlmostEqual(prediction.cube_bytes(self.cubes, 10**3), 300)
        self.assertAlmostEqual(prediction.cube_bytes(self.cubes, 20**3), 200)

    def test_beyond_them_they_go_with_the_surface(self):
        self.assertAlmostEqual(prediction.cube_bytes(self.cubes, 40**3), 150)

    def test_a_large_cube_takes_the_time_of_its_bytes(self):
        moved, seconds = prediction.cube_time(self.cubes, 400**3, MEMORY)
        self.assertAlmostEqual(seconds, moved * 2 * 400**3 / 0.6e12, delta=1e-4)


class Report(unittest.TestCase):
    def result(self, task_ms, cube_ns):
        return {"device": {"name": "NVIDIA H100"}, "speed": {"copy_gb_per_s": 3000},
                "cubes": [{"particles": 8_000_000, "substeps": 20, "ms_per_step": 1.0, "ns_per_particle_substep": cube_ns,
                           "not_reproducible_ns": cube_ns}],
                "tasks": [{"scene": "dough_rolling", "from_s": 1.0, "particles": 10, "substeps_per_step": 10,
                           "particle_contacts": {"mean": 3}, "ms_per_step": {"mean": task_ms, "p50": task_ms}, "realtime_rate": 2.0,
                           "published": {"ms_per_step": 20.0}}]}

    def task_cells(self, task_ms):
        return gpu_report.task_lines(self.result(task_ms, 1), {"tasks": []}, MEMORY)[-1].split(" | ")

    def cube_goal(self, ns):
        cubes = [row(10**3, {"a": kernel(1, 1e6, 0)})]
        return gpu_report.cube_lines(self.result(1, ns), cubes, MEMORY, {})[-1].split(" | ")[-1]

    def test_a_task_must_be_twenty_times_faster_than_published(self):
        self.assertEqual(self.task_cells(1.0)[-3], "yes")
        self.assertEqual(self.task_cells(1.1)[-3], "**no**")

    def test_a_large_cube_must_take_three_tenths_of_a_nanosecond(self):
        self.assertEqual(self.cube_goal(0.3), "yes |")
        self.assertEqual(self.cube_goal(0.31), "**no** |")

    def test_predictions_are_for_the_memory_of_the_device(self):
        self.assertEqual(gpu_report.memory_of(self.result(1, 1)).name, "H100")


if __name__ == "__main__":
    unittest.main()
