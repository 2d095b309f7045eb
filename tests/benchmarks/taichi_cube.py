"""The free cubes of free_cube.h in Taichi, as a plain program of its kind: what benchmark_gpu's cubes are compared with.

    python3 tests/benchmarks/taichi_cube.py [--arch cuda|cpu] [--edges 18,28,…] [--steps N] [--json FILE]

Explicit MLS-MPM: dense grid, quadratic B-splines, APIC, neo-Hookean solid, float32, atomic adds, four loops per substep.
Python needs the package taichi; on_device.sh says where it comes from.
"""

import argparse
import json
import pathlib
import statistics
import time

import taichi as ti

SPACING = 0.005  # of particles [m]
H = 2 * SPACING
SUBSTEPS = 20
DT = 5e-5
MU, LAMBDA = 3.8e4, 5.8e4  # E = 1e5 Pa, ν = 0.3
VOLUME = SPACING**3
MASS = 1000 * VOLUME
MARGIN = 4  # cells around the cube


@ti.data_oriented
class Cube:
    def __init__(self, edge):
        self.edge = edge
        self.particles = edge**3
        cells = edge // 2 + 1 + 2 * MARGIN
        self.x = ti.Vector.field(3, ti.f32, self.particles)
        self.v = ti.Vector.field(3, ti.f32, self.particles)
        self.C = ti.Matrix.field(3, 3, ti.f32, self.particles)
        self.F = ti.Matrix.field(3, 3, ti.f32, self.particles)
        self.momentum = ti.Vector.field(3, ti.f32, (cells, cells, cells))
        self.mass = ti.field(ti.f32, (cells, cells, cells))
        self.begin()

    @ti.kernel
    def begin(self):
        for p in self.x:
            cell = ti.Vector([p // self.edge**2, p // self.edge % self.edge, p % self.edge])
            at = SPACING * (ti.cast(cell, ti.f32) + ti.Vector([0.4, 0.5, 0.6]))
            self.x[p] = at + MARGIN * H
            self.v[p] = ti.Vector([0.5, 0.2, 1.0]).cross(at)
            self.F[p] = ti.Matrix.identity(ti.f32, 3)

    @ti.func
    def weights(self, x):
        """Base node, offset from it in cells, and the B-spline's three weights per axis."""
        base = ti.cast(x / H - 0.5, ti.i32)
        fx = x / H - ti.cast(base, ti.f32)
        return base, fx, [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]

    @ti.kernel
    def clear(self):
        for node in ti.grouped(self.mass):
            self.momentum[node] = ti.Vector.zero(ti.f32, 3)
            self.mass[node] = 0

    @ti.kernel
    def scatter(self):
        for p in self.x:
            base, fx, w = self.weights(self.x[p])
            F = self.F[p]
            tau = MU * (F @ F.transpose() - ti.Matrix.identity(ti.f32, 3)) + LAMBDA * ti.log(F.determinant()) * ti.Matrix.identity(
                ti.f32, 3)
            affine = MASS * self.C[p] - (4 * DT * VOLUME / H**2) * tau
            for offset in ti.static(ti.grouped(ti.ndrange(3, 3, 3))):
                weight = w[offset[0]][0] * w[offset[1]][1] * w[offset[2]][2]
                away = (ti.cast(offset, ti.f32) - fx) * H
                self.momentum[base + offset] += weight * (MASS * self.v[p] + affine @ away)
                self.mass[base + offset] += weight * MASS

    @ti.kernel
    def update(self):
        for node in ti.grouped(self.mass):
            if self.mass[node] > 0:
                self.momentum[node] /= self.mass[node]

    @ti.kernel
    def gather(self):
        for p in self.x:
            base, fx, w = self.weights(self.x[p])
            v = ti.Vector.zero(ti.f32, 3)
            B = ti.Matrix.zero(ti.f32, 3, 3)
            for offset in ti.static(ti.grouped(ti.ndrange(3, 3, 3))):
                weight = w[offset[0]][0] * w[offset[1]][1] * w[offset[2]][2]
                node = self.momentum[base + offset]
                v += weight * node
                B += weight * node.outer_product((ti.cast(offset, ti.f32) - fx) * H)
            self.v[p] = v
            self.C[p] = 4 / H**2 * B
            self.F[p] = self.F[p] + DT * self.C[p] @ self.F[p]
            self.x[p] += DT * v

    def step(self):
        for _ in range(SUBSTEPS):
            self.clear()
            self.scatter()
            self.update()
            self.gather()
        ti.sync()

    @ti.kernel
    def momentum_sum(self) -> ti.types.vector(3, ti.f64):
        total = ti.Vector.zero(ti.f64, 3)
        for p in self.v:
            total += MASS * ti.cast(self.v[p], ti.f64)
        return total


def time_cube(edge, steps):
    cube = Cube(edge)
    before = cube.momentum_sum()
    cube.step()  # compiles
    seconds = []
    for _ in range(steps):
        start = time.perf_counter()
        cube.step()
        seconds.append(time.perf_counter() - start)
    drift = (cube.momentum_sum() - before).norm() / before.norm()
    if not drift < 1e-3:
        raise SystemExit(f"cube of {cube.particles} particles: momentum has changed by {drift:.1e} of itself")
    median = statistics.median(seconds)
    return {"particles": cube.particles, "substeps": SUBSTEPS, "ms_per_step": 1e3 * median,
            "ns_per_particle_substep": 1e9 * median / (cube.particles * SUBSTEPS)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--edges", default="18,28,46,100,200")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    ti.init(arch=getattr(ti, arguments.arch), offline_cache=False)
    if ti.lang.impl.current_cfg().arch != getattr(ti, arguments.arch):
        raise SystemExit(f"Taichi cannot use {arguments.arch} here")
    rows = []
    for edge in map(int, arguments.edges.split(",")):
        rows.append(time_cube(edge, arguments.steps))
        print(f"{rows[-1]['particles']:>10} {rows[-1]['ms_per_step']:10.3f} {rows[-1]['ns_per_particle_substep']:10.3f}", flush=True)
        if arguments.json:
            arguments.json.write_text(json.dumps({"taichi": ".".join(map(str, ti.__version__)), "cubes": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
