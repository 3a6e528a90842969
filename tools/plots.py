#!/usr/bin/env python3
"""Plots of what is measured against what theory says: make plots, or tools/plots.py [--to FOLDER] [NAME...]

Each plot runs the command on scenes of its own, prints the numbers as a table, and draws NAME.svg in docs/plots, or in FOLDER. The tables in the pages are from there.
PLIANT_BINARY is the command, build-double/pliant where it is not set: Newton's method takes rows that are 0 at rest to the end in float64 only.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLIANT = os.path.abspath(os.environ.get("PLIANT_BINARY") or os.path.join(ROOT, "build-double", "pliant"))
COLOURS = ["#2a7fc4", "#d1701a", "#0f9a72", "#c0609a", "#8a6fd1", "#a98a1c", "#c9504f"]
GREY = "#7a7a7a"
TO = os.path.join(ROOT, "docs", "plots")
LAWS = ["neo_hookean", "corotated", "stvk", "strain"]


# ---- the command ----

def pliant(*arguments, given=None):
    done = subprocess.run([PLIANT, *map(str, arguments)], input=given, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"pliant {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def simulate(scene, *arguments):
    """The positions in the last frame, body after body, and the seconds that the run took."""
    with tempfile.TemporaryDirectory() as folder:
        name, out = os.path.join(folder, "scene.json"), os.path.join(folder, "out.csv")
        with open(name, "w") as f:
            json.dump({"pliant": 1, **scene}, f)
        said = json.loads(pliant("run", name, "-q", "--json", "--threads", 1, "-o", out, "--every", scene["frames"], *arguments, "--root", "/"))
        bodies = {}
        with open(out) as f:
            names = f.readline().strip().split(",")
            for line in f:
                row = dict(zip(names, line.strip().split(",")))
                if int(row["frame"]) == scene["frames"]:
                    bodies.setdefault(row["body"], []).append([float(row[k]) for k in "xyz"])
    return bodies, said["seconds"]


# ---- drawing ----

class Panel:
    """Curves and points over two axes, linear or logarithmic."""

    def __init__(self, x, y, log_x=False, log_y=False, x_range=None, y_range=None):
        self.label, self.log, self.range = (x, y), (log_x, log_y), [x_range, y_range]
        self.series = []  # colour, label, points, line, dash, mark

    def line(self, points, colour=GREY, label=None, dash=None):
        self.series.append((colour, label, points, True, dash, False))

    def points(self, points, colour, label=None, joined=False):
        self.series.append((colour, label, points, joined, None, True))


WIDTH, HEIGHT, LEFT, TOP, GAP = 370, 260, 84, 60, 100


def ticks(low, high, log):
    if log:
        few = math.log10(high / low) > 2.5
        return [d * 10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for d in ((1,) if few else (1, 2, 5))
                if low * 0.999 <= d * 10.0 ** e <= high * 1.001]
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    step *= 5 if (high - low) / step > 20 else 2 if (high - low) / step > 8 else 1
    return [step * i for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def draw_panel(p, left, top, across):
    def place(axis, v):
        low, high = p.range[axis]
        t = math.log(v / low) / math.log(high / low) if p.log[axis] else (v - low) / (high - low)
        return left + t * across if axis == 0 else top + HEIGHT - t * HEIGHT

    for axis in (0, 1):
        if p.range[axis] is None:
            values = [q[axis] for s in p.series for q in s[2] if not p.log[axis] or q[axis] > 0]
            low, high = min(values), max(values)
            if p.log[axis]:
                p.range[axis] = (low / (high / low) ** 0.05, high * (high / low) ** 0.05)
            else:
                p.range[axis] = (low - 0.05 * (high - low), high + 0.05 * (high - low))
    out = []
    for axis in (0, 1):
        for v in ticks(*p.range[axis], p.log[axis]):
            at = place(axis, v)
            text = f"{0.0 if abs(v) < 1e-12 else v:.10g}"
            if axis == 0:
                out.append(f'<path class="g" d="M{at:.1f} {top}v{HEIGHT}"/><text x="{at:.1f}" y="{top + HEIGHT + 18}" text-anchor="middle">{text}</text>')
            else:
                out.append(f'<path class="g" d="M{left} {at:.1f}h{across}"/><text x="{left - 7}" y="{at + 4:.1f}" text-anchor="end">{text}</text>')
    out.append(f'<path d="M{left} {top}v{HEIGHT}h{across}"/>')
    out.append(f'<text x="{left + across / 2}" y="{top + HEIGHT + 38}" text-anchor="middle">{p.label[0]}</text>')
    out.append(f'<text transform="translate({left - 62} {top + HEIGHT / 2}) rotate(-90)" text-anchor="middle">{p.label[1]}</text>')
    for colour, _, points, line, dash, mark in p.series:
        seen = [(place(0, x), place(1, y)) for x, y in points if all(not p.log[a] or v > 0 for a, v in ((0, x), (1, y)))
                and all(min(p.range[a]) <= v <= max(p.range[a]) for a, v in ((0, x), (1, y)))]
        if line and len(seen) > 1:
            out.append(f'<path style="stroke:{colour};stroke-width:2;stroke-dasharray:{dash or "none"}" d="M' +
                       "L".join(f"{x:.1f} {y:.1f}" for x, y in seen) + '"/>')
        if mark:
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{colour}"/>' for x, y in seen]
    return out


def draw(name, title, panels):
    labels = []
    for p in panels:
        for colour, label, _, line, dash, mark in p.series:
            if label and label not in [l[1] for l in labels]:
                labels.append((colour, label, line, dash, mark))
    across = WIDTH if len(panels) > 1 else 540
    columns = 3 if len(panels) > 1 else 2
    top = TOP + 20 * math.ceil(len(labels) / columns)
    width, height = LEFT + len(panels) * across + (len(panels) - 1) * GAP + 22, top + HEIGHT + 56
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
           f"<title>{title}</title>",
           f"<style>text{{font:13px system-ui,'DejaVu Sans',sans-serif;fill:{GREY}}}.t{{font-size:16px;font-weight:600}}"
           f"path{{fill:none;stroke:{GREY}}}.g{{stroke-opacity:.22}}</style>",
           f'<text class="t" x="{LEFT}" y="24">{title}</text>']
    for i, (colour, label, line, dash, mark) in enumerate(labels):
        x, y = LEFT + (i % columns) * (width - LEFT - 20) / columns, TOP - 10 + 20 * (i // columns)
        if line:
            out.append(f'<path style="stroke:{colour};stroke-width:2;stroke-dasharray:{dash or "none"}" d="M{x:.0f} {y - 4}h26"/>')
        if mark:
            out.append(f'<circle cx="{x + 13:.0f}" cy="{y - 4}" r="3.6" fill="{colour}"/>')
        out.append(f'<text x="{x + 33:.0f}" y="{y}">{label}</text>')
    for i, p in enumerate(panels):
        out += draw_panel(p, LEFT + i * (across + GAP), top, across)
    out.append("</svg>")
    path = os.path.join(TO, name + ".svg")
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")
    print(f"{name}.svg {os.path.getsize(path) / 1024:.0f} KB\n")


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(v if isinstance(v, str) else f"{v:.4g}" for v in row) + " |")
    print()


# ---- a clamped beam that sags ----

SECONDS = 6
EXACT = {"neo_hookean": 0.504502475, "corotated": 0.503624861, "stvk": 0.504950795, "strain": 0.503848663}  # m, tests/test_solids.c


def beam(law, substeps, iterations=1, method="gauss_seidel", cells=(10, 2, 2), young=1e6, extra=None):
    """One metre of 0.1 m by 0.1 m, held at one end; substeps are those of a sixtieth of a second."""
    return {"frames": SECONDS, "fps": 1,
            "solver": {"substeps": 60 * substeps, "iterations": iterations, "method": method, **(extra or {})},
            "materials": {"gel": {"density": 1000, "young": young, "poisson": 0.3, "drag": 4}},
            "bodies": [{"type": "soft", "model": law, "material": "gel", "cells": list(cells), "size": [1, 0.1, 0.1], "position": [0.5, 1, 0],
                        "pins": {"side": "-x"}}]}


def sag(scene):
    """How far the free end has sunk, m, and the milliseconds that a sixtieth of a second took."""
    (bodies, seconds), (_, again) = simulate(scene), simulate(scene)
    seconds = min(seconds, again)
    (points,) = bodies.values()
    nx, ny, nz = (c + 1 for c in scene["bodies"][0]["cells"])
    tip = [points[nx * i + nx - 1] for i in range(ny * nz)]
    return 1 - sum(x[1] for x in tip) / len(tip), 1000 * seconds / (60 * SECONDS)


METHODS = [("gauss_seidel", {}), ("jacobi", {}), ("chebyshev", {"base": "jacobi"}), ("multigrid", {}), ("newton", {"gradients": "implicit"})]


def compare_laws():
    """One substep of a sixtieth of a second of the falling beam, and where the beam hangs in the end."""
    one = Panel("iterations of one substep of 1/60 s", "distance from implicit Euler, in E₀", True, True)
    end = Panel("time of 1/60 s, ms", "error of the sag, %", True, True)
    marks = {m: COLOURS[i] for i, (m, _) in enumerate(METHODS)}
    asked = ",".join(m + "".join(f":{k}={v}" for k, v in s.items()) for m, s in METHODS[:-1])
    rows = []
    for law in LAWS:
        with tempfile.TemporaryDirectory() as folder:
            name, out = os.path.join(folder, "beam.json"), os.path.join(folder, "out.csv")
            with open(name, "w") as f:
                json.dump({"pliant": 1, **beam(law, 20), "frames": 60, "fps": 60, "solver": {"substeps": 20}}, f)
            said = json.loads(pliant("compare", name, "--substeps", 1, "--frame", 10, "--repeat", 1, "-q", "--json", "--methods",
                                     asked + ",newton:gradients=implicit", "--reference", "newton:gradients=implicit", "-o", out))
            first = said["reference"]["error_first"]
            rows.append([law] + [m["error"] / first for m in said["methods"][:-1]] + [said["reference"]["primal"] / said["first"]])
            if law != "neo_hookean":
                continue
            curves = {}
            with open(out) as f:
                names = f.readline().strip().split(",")
                for line in f:
                    row = dict(zip(names, line.strip().split(",")))
                    if row["error"] and int(row["iteration"]):
                        curves.setdefault(row["method"].split(":")[0], []).append((int(row["iteration"]), float(row["error"]) / first))
            for m, curve in curves.items():
                one.line([(i, max(e, 1e-14)) for i, e in curve], marks[m], m)
    table(["law"] + [m for m, _ in METHODS[:-1]] + ["newton's motion residual, in R0"], rows)
    one.range[1] = (1e-4, 30)

    rows = []
    exact = EXACT["neo_hookean"]
    runs = {"gauss_seidel": [(n, 1) for n in (5, 10, 20, 40, 80, 160)], "jacobi": [(n, 1) for n in (10, 20, 40, 80, 160)],
            "chebyshev": [(2, 10), (2, 40), (5, 20), (5, 80), (20, 20)], "multigrid": [(1, 2), (2, 2), (5, 2), (20, 2), (40, 2)],
            "newton": [(1, 1), (2, 1), (5, 1)]}
    for m, settings in METHODS:
        found = []
        for substeps, iterations in runs[m]:
            drop, ms = sag(beam("neo_hookean", substeps, iterations, m, extra=settings))
            found.append((ms, max(100 * abs(drop / exact - 1), 1e-3)))
            rows.append([m, f"{substeps} × {iterations}", ms, f"{100 * (drop / exact - 1):+.3g}"])
        end.points(found, marks[m], m, joined=True)
    found = []
    for substeps, iterations in [(1, 10), (1, 100), (1, 1000), (5, 100)]:
        drop, ms = sag(beam("neo_hookean", substeps, iterations))
        found.append((ms, 100 * abs(drop / exact - 1)))
        rows.append(["gauss_seidel", f"{substeps} × {iterations}", ms, f"{100 * (drop / exact - 1):+.3g}"])
    end.line(found[:3], marks["gauss_seidel"], "gauss_seidel, 1 substep of 10 to 1,000", "3 4")
    table(["method", "substeps × iterations", "ms of 1/60 s", "sags too far by, %"], rows)
    draw("compare-laws", "A neo-Hookean beam: how far from the exact answer", [one, end])


def cantilever():
    """Against the substeps."""
    steps = Panel("substeps of 1/60 s", "sags too far by, %", True, True)
    rows = []
    for i, law in enumerate(LAWS):
        found = [(n, 100 * (sag(beam(law, n))[0] / EXACT[law] - 1)) for n in (10, 20, 40, 80, 160)]
        rows.append([law] + [f"{e:+.3g}" for _, e in found])
        steps.points([(n, abs(e)) for n, e in found], COLOURS[i], law, joined=True)
    table(["law"] + [f"{n} substeps, %" for n in (10, 20, 40, 80, 160)], rows)
    steps.line([(n, 5.12 * (20 / n) ** 2) for n in (10, 160)], GREY, "as the square of the substep", "3 4")
    draw("cantilever", "A clamped beam: its sag beyond the balance of forces", [steps])


# ---- a tetrahedron that is pulled ----

def stress_of(law, s, t):
    """Nominal stress along x and across, in mu, of the shape diag(s, t, t)."""
    rest = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    x = [[0, 0, 0], [s, 0, 0], [0, t, 0], [0, 0, t]]
    out = json.loads(pliant("eval", "tet_" + law, given=json.dumps({"at_rest": rest, "x": x, "w": [1] * 4, "alpha": 1, "dt": 1})))
    force = lambda particle, axis: 6 * sum(C * g[particle][axis] for C, g in zip(out["C"], out["grads"]))
    return force(1, 0), force(2, 1)


def uniaxial():
    """Pulled along x and free across, where the ratio is 0.45."""
    nu = 0.45
    lam, young = 2 * nu / (1 - 2 * nu), 2 * (1 + nu)

    def root(f):
        low, high = 0.3, 2.5
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if f(middle) > 0 else (middle, high)
        return low

    def neo_hookean(s):
        across = lambda t: t + ((lam + 1) * (s * t * t - 1) - 1) * s * t
        t = root(across)
        return s + ((lam + 1) * (s * t * t - 1) - 1) * t * t, t

    closed = {"neo_hookean": neo_hookean, "corotated": lambda s: (young * (s - 1), 1 - nu * (s - 1)),
              "strain": lambda s: (young * (s - 1), 1 - nu * (s - 1)),
              "stvk": lambda s: (young * s * (s * s - 1) / 2, math.sqrt(1 - nu * (s * s - 1)))}
    stress, volume = Panel("stretch", "force per area at rest, in E"), Panel("stretch", "volume, in that at rest")
    fine = [0.5 + i / 100 for i in range(101)]
    worst = []
    for i, law in enumerate(LAWS):
        curve = [(s, closed[law](s)) for s in fine]
        shown = law if law != "strain" else "strain, as corotated where axes are pulled"
        if law != "strain":
            stress.line([(s, p / young) for s, (p, _) in curve], COLOURS[i], law + ", closed form")
            volume.line([(s, s * t * t) for s, (_, t) in curve], COLOURS[i], law + ", closed form")
        found = []
        for k in range(11):
            s = 0.5 + 0.1 * k + (0.05 if law == "strain" else 0)
            if s > 1.5:
                continue
            low, high = 0.3, 2.5
            for _ in range(34):
                middle = (low + high) / 2
                low, high = (low, middle) if stress_of(law, s, middle)[1] > 0 else (middle, high)
            found.append((s, stress_of(law, s, low)[0], low))
        stress.points([(s, p / young) for s, p, _ in found], COLOURS[i], shown + ", measured")
        volume.points([(s, s * t * t) for s, _, t in found], COLOURS[i], shown + ", measured")
        worst.append([law, max(abs(p - closed[law](s)[0]) / young for s, p, _ in found), max(abs(t - closed[law](s)[1]) for s, _, t in found)])
    table(["law", "largest difference of stress, in E", "of the width"], worst)
    draw("uniaxial", "A tetrahedron pulled and free across, ratio 0.45", [stress, volume])


# ---- a balloon ----

def balloon():
    """A sphere of a membrane that gas blows up, where gas and membrane balance."""
    R, k, nu, ambient = 0.2, 500.0, 0.3, 101325.0
    panel = Panel("volume, in that at rest", "pressure, Pa above the air outside", y_range=(0, 4500))
    wide = Panel("volume, in that at rest", "(p + 101,325 Pa) V, in that at rest", y_range=(0.9, 2.6))
    membrane = lambda v: 2 * k / (1 - nu) * (v ** (1 / 3) - 1) / (R * v ** (2 / 3))
    curve = [1 + i / 100 for i in range(0, 151)]
    panel.line([(v, membrane(v)) for v in curve], GREY, "membrane theory")
    gases = [5000, 20000, 40000, 60000, 90000, 120000]
    ball = os.path.join(ROOT, "scenes", "meshes", "ball.obj")
    faces = [[int(p.split("/")[0]) - 1 for p in l.split()[1:]] for l in open(ball) if l.startswith("f ")]

    def volume(points):
        sum = 0
        for f in faces:
            for i in range(1, len(f) - 1):
                a, b, c = (points[f[j]] for j in (0, i, i + 1))
                sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
        return sum

    rows = []
    for i, gas in enumerate(gases):
        scene = {"frames": 4, "fps": 2, "solver": {"gravity": [0, 0, 0], "substeps": 40 * 30, "iterations": 4},
                 "bodies": [{"type": "cloth", "mesh": ball, "scale": R, "bend": "none", "model": "strain", "warp": [1, 0, 0],
                             "material": {"density": 0.5, "stretch_warp": k, "plane_poisson": nu, "shear_stiffness": k / 2 / (1 + nu), "drag": 6},
                             "pressure": {"gas": {"keys": [{"time": 0, "pressure": 0}, {"time": 0.8, "pressure": gas}]}}}]}
        bodies, _ = simulate(scene)
        (points,) = bodies.values()
        rest, _ = simulate({**scene, "frames": 1, "fps": 1000, "solver": {"gravity": [0, 0, 0], "substeps": 1},
                            "bodies": [{**scene["bodies"][0], "pressure": {"gas": 0}}]})
        v = volume(points) / volume(*rest.values())
        panel.line([(u, (gas + ambient) / u - ambient) for u in curve], COLOURS[i], f"gas of {gas:,} Pa, Boyle and Mariotte")
        panel.points([(v, membrane(v))], COLOURS[i])
        wide.line([(1, 1 + gas / ambient), (2.5, 1 + gas / ambient)], COLOURS[i])
        wide.points([(v, (membrane(v) + ambient) * v / ambient)], COLOURS[i])
        low, high = 1.0, 3.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if (gas + ambient) / middle - ambient > membrane(middle) else (low, middle)
        rows.append([f"{gas:,}", v, low, f"{100 * (v / low - 1):+.2g}", (membrane(v) + ambient) * v / (gas + ambient)])
    table(["gas, Pa", "V / V0 measured", "V / V0 by theory", "difference, %", "(p + 101,325) V, in that of the gas"], rows)
    draw("balloon", "A sphere of a membrane of 500 N/m, blown up", [panel, wide])


# ---- what stays bent ----

def plastic():
    """Hinges bent by 1.2 rad, held, and let go, beside what theory leaves of them."""
    bend, steps, thick = 1.2, 48, 0.05
    panel = Panel("yield, rad", "angle that stays, rad")
    rows = []
    for i, hardening in enumerate((0, 0.5, 2)):
        left = lambda y: max(bend - y, 0) / (1 + hardening)
        fine = [j / 100 for j in range(0, 151)]
        panel.line([(y, left(y)) for y in fine], COLOURS[i], f"hardening {hardening}, theory")
        found = []
        for y in (0.05, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4):
            # A plate that turns about the edge bends it, holds it, and goes back.
            ease = [math.sin(math.pi / 2 * j / steps) ** 2 for j in range(steps + 1)]
            turns = [(2 * j / steps, bend * e) for j, e in enumerate(ease)] + [(2.5 + 2 * j / steps, bend * (1 - e)) for j, e in enumerate(ease)]
            keys = [{"time": t, "position": [thick * math.sin(a), -thick * math.cos(a), 0.5],
                     "rotation": {"axis": [0, 0, 1], "angle": math.degrees(a)}} for t, a in turns]
            scene = {"frames": 420, "fps": 60, "solver": {"gravity": [0, 0, 0], "substeps": 40, "drag": 20},
                     "bodies": [{"type": "particles", "name": "hinge",
                                 "particles": [{"x": [0, 0, 0], "w": 0}, {"x": [0, 0, 1], "w": 0}, {"x": [-1, 0, 0.5], "w": 0}, {"x": [1, 0, 0.5]}],
                                 "constraints": [{"kind": "dihedral_angle", "ids": [0, 1, 2, 3], "compliance": 0.01, "yield": y, "hardening": hardening}]}],
                     "colliders": [{"type": "box", "half_extent": [2, thick, 1], "friction": 0, "keys": keys}]}
            points, _ = simulate(scene)
            x = points["hinge"][3]
            found.append((y, abs(math.atan2(x[1], x[0]))))
        panel.points(found, COLOURS[i], f"hardening {hardening}, measured")
        rows.append([f"{hardening}"] + [f"{a:.4f} of {left(y):.4f}" for y, a in found])
    table(["hardening", "yield 0.05", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2", "1.4"], rows)
    draw("plastic", "A hinge bent by 1.2 rad and let go", [panel])


# ---- cloth on a drapemeter ----

def shadow(points, faces, centre, inner, outer):
    """The share of the ring around a disc that triangles lie over, by a raster of 1 mm."""
    step, hit = 0.001, set()
    flat = [((x[0] - centre[0]) / step, (x[2] - centre[1]) / step) for x in points]
    for f in faces:
        (ax, az), (bx, bz), (cx, cz) = (flat[v] for v in f)
        area = (bx - ax) * (cz - az) - (bz - az) * (cx - ax)
        if not area:
            continue
        for i in range(math.ceil(min(ax, bx, cx)), math.floor(max(ax, bx, cx)) + 1):
            for j in range(math.ceil(min(az, bz, cz)), math.floor(max(az, bz, cz)) + 1):
                u = ((bx - i) * (cz - j) - (bz - j) * (cx - i)) / area
                v = ((cx - i) * (az - j) - (cz - j) * (ax - i)) / area
                if u >= 0 and v >= 0 and u + v <= 1:
                    hit.add((i, j))
    ring = lambda i, j: inner < step * math.hypot(i, j) < outer
    most = math.ceil(outer / step)
    return sum(ring(*h) for h in hit) / sum(ring(i, j) for i in range(-most, most + 1) for j in range(-most, most + 1))


def drape():
    """Round samples of cotton of any bending rigidity, and the presets, held between discs of 18 cm."""
    panel = Panel("bending length, mm", "drape coefficient, %", y_range=(0, 100))
    mesh = os.path.join(ROOT, "scenes", "meshes", "sample.obj")
    stand = os.path.join(ROOT, "scenes", "meshes", "stand.obj")
    faces = [[int(p.split("/")[0]) - 1 for p in l.split()[1:]] for l in open(mesh) if l.startswith("f ")]
    weight = {"cotton": 0.124, "silk": 0.060, "denim": 0.328, "rubber_sheet": 1.1}
    rigidity = {"cotton": 1.16e-5, "silk": 1.1e-6, "denim": 9.6e-5, "rubber_sheet": 1.67e-4}

    def found(preset, B=None):
        material = {"preset": preset, "drag": 3, "damping": 0, **({"bending_rigidity": B} if B else {})}
        scene = {"frames": 150, "fps": 60, "solver": {"substeps": 80},
                 "bodies": [{"type": "cloth", "model": "strain", "collider_mask": 0, "mesh": mesh, "warp": [1, 0, 0], "material": material,
                             "position": [0, 0.2, 0], "pins": {"sphere": {"center": [0, 0.2, 0], "radius": 0.0905}}}],
                 "colliders": [{"type": "plane"}, {"type": "hull", "mesh": stand, "position": [0, 0.199, 0]}]}
        bodies, _ = simulate(scene)
        (points,) = bodies.values()
        length = 1000 * ((B or rigidity[preset]) / weight[preset] / 9.81) ** (1 / 3)
        return length, 100 * shadow(points, faces, (0, 0), 0.09, 0.15)

    curve = [found("cotton", 0.124 * 9.81 * (c / 1000) ** 3) for c in (8, 12, 16, 20, 25, 30, 38)]
    panel.points(curve, COLOURS[0], "cotton of any bending rigidity", joined=True)
    table(["bending length, mm", "drape coefficient, %"], [[f"{x:.0f}", y] for x, y in curve])
    rows = []
    for i, preset in enumerate(weight):
        at = found(preset)
        panel.points([at], COLOURS[i + 1], "preset " + preset)
        rows.append([preset, *at])
    table(["preset", "bending length, mm", "drape coefficient, %"], rows)
    draw("drape", "Round samples of 30 cm on discs of 18 cm", [panel])


# ---- a bar that hangs ----

def bar():
    """By how much a bar of one metre gets longer by its own weight, beside w L / (2 E)."""
    panel = Panel("Young's modulus, MPa", "longer by, mm", True, True)
    theory = lambda E: 1000 * 1000 * 9.81 / (2 * E)
    panel.line([(E / 1e6, theory(E)) for E in (2e5, 5e6)], GREY, "weight over twice the modulus")
    models = [("distance", None), ("neo_hookean", None), ("shape_matching", "linear"), ("shape_matching", "quadratic")]
    rows = []
    for i, (model, shape) in enumerate(models):
        found = []
        for E in (3e5, 1e6, 3e6):
            scene = {"frames": 4, "fps": 1, "solver": {"substeps": 60 * 80, "drag": 8},
                     "bodies": [{"type": "soft", "model": model, "cells": [2, 10, 2], "size": [0.2, 1, 0.2], "pins": {"side": "+y"},
                                 "material": {"density": 1000, "young": E, "poisson": 0.3}}]}
            if shape:
                scene["bodies"][0]["shape"] = {shape: {}, "cluster": 0.2}
            bodies, _ = simulate(scene)
            (points,) = bodies.values()
            found.append((E, 1000 * (-0.5 - min(x[1] for x in points))))
        label = shape or model
        panel.points([(E / 1e6, y) for E, y in found], COLOURS[i], label)
        rows.append([label] + [f"{y:.3g} of {theory(E):.3g}" for E, y in found])
    table(["model", "300 kPa", "1 MPa", "3 MPa"], rows)
    draw("bar", "A bar of 1 m, hanging by its upper end", [panel])


PLOTS = {"uniaxial": uniaxial, "cantilever": cantilever, "balloon": balloon, "plastic": plastic, "bar": bar, "drape": drape, "compare-laws": compare_laws}

if __name__ == "__main__":
    asked = sys.argv[1:]
    if asked[:1] == ["--to"]:
        TO, asked = asked[1], asked[2:]
    for name in asked or PLOTS:
        if name not in PLOTS:
            sys.exit(f"unknown plot {name} (known are {', '.join(PLOTS)})")
        print(f"# {name}\n")
        PLOTS[name]()
