"""What an archive says of itself: README.md, CITATION.cff, ro-crate-metadata.json (RO-Crate 1.1)."""
import json
import mimetypes
import os
import urllib.parse

from triad_plot.archive import manifest

KINDS = {".h5": "application/x-hdf5", ".vtkhdf": "application/x-hdf5", ".toml": "application/toml", ".csv": "text/csv", ".md": "text/markdown",
         ".bib": "application/x-bibtex", ".cff": "application/yaml", ".xmf": "application/xml", ".txt": "text/plain", ".svg": "image/svg+xml"}
ABOUT = (
    ("run/case.toml", "The case as it was given to triad run"),
    ("run/case.resolved.toml", "Every key of the case with its value"),
    ("run/case.changes.csv", "Keys that changed during the run"),
    ("run/case.set.csv", "Changes by triad set"),
    ("run/inputs/", "An input file of the case"),
    ("run/provenance.json", "Sessions of the run: program, machine, command"),
    ("run/log.txt", "Messages of the run"),
    ("run/series.csv", "Budgets and other numbers against time, with units and formulae"),
    ("run/profiles.csv", "Means and covariances over planes and time"),
    ("run/means", "Means over time with standard errors"),
    ("run/probes", "Fields at points against time"),
    ("run/spectra/", "Spectra over shells of wavenumbers at one time"),
    ("run/surfaces/", "Pressure, friction and temperature on walls at one time"),
    ("run/fields/", "Fields at one time"),
    ("run/slices/", "Fields on a plane at one time"),
    ("run/particles/", "Positions and velocities of particles against time"),
    ("run/checkpoints/", "A checkpoint, from which the run can continue"),
    ("run/report.html", "The report of the run, with figures and checks"),
    ("figures/", "A figure, or its numbers"),
    ("environment.json", "Program, libraries and machine of the run; packages that drew the figures"),
    ("citation.bib", "BibTeX entries for Triad and the methods of the run"),
    ("CITATION.cff", "How to cite these data"),
    ("LICENSE.txt", "The licence of the data"),
    ("README.md", "What is in the archive and how to repeat it"),
    (manifest.NAME, "SHA-256 of every other file, for sha256sum -c"),
)


def about(path):
    return next((words for begin, words in ABOUT if path.startswith(begin)), "A file of the run")


def quoted(text):
    """A string of YAML, which JSON's is too."""
    return json.dumps(str(text), ensure_ascii=False)


def citation(title, authors, licence, date, version, commit, description):
    lines = ["cff-version: 1.2.0", "message: Please cite these data as below.", "type: dataset", f"title: {quoted(title)}"]
    lines += [f"abstract: {quoted(description)}"] if description else []
    lines.append("authors:")
    for author in authors:
        lines.append(f"  - family-names: {quoted(author.family)}")
        lines += [f"    given-names: {quoted(author.given)}"] if author.given else []
        lines += [f"    orcid: {quoted(author.identifier)}"] if author.orcid else []
        lines += [f"    affiliation: {quoted(author.affiliation)}"] if author.affiliation else []
    lines += [f"license: {licence[0]}", f"date-released: {quoted(date)}", "keywords:", "  - turbulence", "  - direct numerical simulation",
              "references:", "  - type: software", "    title: \"Triad, a turbulence code for MPI, OpenMP and GPUs\"",
              "    authors:", "      - name: The Triad authors", f"    version: {quoted(version or 'unknown')}"]
    lines += [f"    commit: {quoted(commit)}"] if commit else []
    return "\n".join(lines) + "\n"


def references(identifiers):
    """One, or a list of several, as RO-Crate asks for."""
    found = [{"@id": identifier} for identifier in identifiers]
    return found[0] if len(found) == 1 else found


def crate(folder, title, description, authors, licence, date, session):
    """The text of ro-crate-metadata.json. Files are those that are there, and the manifest, which is written after it."""
    paths = [p for p in manifest.paths_in(folder) if p not in (manifest.CRATE, manifest.NAME)]
    parts = [{"@id": urllib.parse.quote(path)} for path in (*paths, manifest.NAME)]
    people = []
    for author in authors:
        person = {"@id": author.identifier, "@type": "Person", "name": author.name, "familyName": author.family}
        if author.given:
            person["givenName"] = author.given
        if author.affiliation:
            place = "#organization-" + urllib.parse.quote(author.affiliation.lower().replace(" ", "-"))
            person["affiliation"] = {"@id": place}
            if all(item["@id"] != place for item in people):
                people.append({"@id": place, "@type": "Organization", "name": author.affiliation})
        if all(item["@id"] != person["@id"] for item in people):
            people.append(person)
    program = {"@id": "#triad", "@type": "SoftwareApplication", "name": "Triad", "version": session.get("version") or "unknown",
               "softwareVersion": " ".join(filter(None, (session.get("version"), session.get("commit")))) or "unknown"}
    action = {"@id": "#run", "@type": "CreateAction", "name": f"Run of {title}", "instrument": {"@id": "#triad"},
              "agent": references(author.identifier for author in authors),
              "object": references(urllib.parse.quote(p) for p in paths if p.startswith(("run/case.", "run/inputs/"))),
              "result": references(urllib.parse.quote(p) for p in paths if p.startswith(("run/series", "run/spectra", "run/fields", "run/means")))}
    action.update({key: session[name] for key, name in (("startTime", "started"), ("endTime", "ended")) if session.get(name)})
    graph = [
        {"@id": manifest.CRATE, "@type": "CreativeWork", "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"}, "about": {"@id": "./"},
         "description": "Metadata of this archive"},
        {"@id": "./", "@type": "Dataset", "name": title, "description": description, "datePublished": date,
         "license": {"@id": licence[2]}, "author": references(author.identifier for author in authors),
         "keywords": "turbulence, direct numerical simulation", "hasPart": parts, "mentions": {"@id": "#run"}},
        {"@id": licence[2], "@type": "CreativeWork", "name": licence[1], "identifier": licence[0], "description": f"SPDX identifier {licence[0]}"},
        *people, program, action]
    for path in paths:
        ending = os.path.splitext(path)[1].lower()
        with open(os.path.join(folder, path), "rb") as file:
            digest, size = manifest.sum_of(file)
        graph.append({"@id": urllib.parse.quote(path), "@type": "File", "name": os.path.basename(path), "description": about(path),
                      "encodingFormat": KINDS.get(ending) or mimetypes.guess_type(path)[0] or "application/octet-stream",
                      "contentSize": str(size), "sha256": digest})
    graph.append({"@id": manifest.NAME, "@type": "File", "name": manifest.NAME, "description": about(manifest.NAME), "encodingFormat": "text/plain"})
    # sha256 is no term of RO-Crate 1.1's own context
    context = ["https://w3id.org/ro/crate/1.1/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}]
    return json.dumps({"@context": context, "@graph": graph}, indent=1, ensure_ascii=False) + "\n"


def size_text(n):
    for unit in ("bytes", "kB", "MB", "GB"):
        if n < 1000 or unit == "GB":
            return f"{n:.3g} {unit}" if unit != "bytes" else f"{n} bytes"
        n /= 1000
    return ""


def readme(folder, title, description, authors, licence, session, figures, errors, allowed, notes):
    paths = [p for p in manifest.paths_in(folder) if p != "README.md"]
    groups = {}
    for path in paths:
        top = "/".join(path.split("/")[:2]) + "/" if path.count("/") > 1 else path if not path.startswith("figures/") else "figures/"
        groups.setdefault(top, []).append(os.path.getsize(os.path.join(folder, path)))
    version = " ".join(filter(None, (session.get("version"), f"(commit {session['commit']})" if session.get("commit") else "")))
    out = [f"# {title}", "", description, "", "Authors: " + "; ".join(
        author.name + (f" (https://orcid.org/{author.orcid})" if author.orcid else "") + (f", {author.affiliation}" if author.affiliation else "")
        for author in authors) + ".", f"Licence: {licence[1]}, {licence[2]} (LICENSE.txt).",
        "To cite these data, use CITATION.cff" + ("; citation.bib has the program and its methods." if "citation.bib" in paths else "."), "",
        "## Contents", "| path | files | size | content |", "| --- | --- | --- | --- |"]
    out += [f"| {top} | {len(sizes)} | {size_text(sum(sizes))} | {about(top)} |" for top, sizes in groups.items()]
    out += [f"| {manifest.CRATE}, {manifest.NAME} | 2 | | metadata of all files (RO-Crate 1.1); {about(manifest.NAME)} |", "",
            "HDF5 files have units and meanings as attributes; `series.csv` has them in its first lines. U is a velocity, L a length, T a time,",
            "M a mass.", ""]
    out += ["## Errors of packed fields"]
    if errors:
        out += [f"Values were rounded so that none changed by more than {allowed:g} times the rms of its field. The errors made, over that rms:", "",
                "| file | dataset | largest | rms |", "| --- | --- | --- | --- |"]
        out += [f"| {path} | {name} | {largest:.3g} | {rms:.3g} |" for path, found in errors.items() for name, (largest, rms) in found.items()]
    else:
        out += ["None: packed files hold the bits that the run wrote."]
    out += ["", "## Repeat the run", f"Triad {version or 'of an unknown version'}" + (f", {session['compiler']}" if session.get("compiler") else "") + ":", "",
            "```sh", "triad run run/case.resolved.toml --dir again", "triad diff run again", "```", "",
            "`environment.json` has the machine, the libraries and the number of ranks. With other ones, results may differ by rounding."]
    out += ["", "## Repeat the figures"]
    if figures:
        out += ["In this folder, each command writes the files of its row again.", "", "| figure | what it shows | command |", "| --- | --- | --- |"]
        out += [f"| {', '.join(names)} | {' '.join(caption.split()).replace('|', chr(92) + '|')} | `{command}` |" for _n, caption, names, command in figures]
    else:
        out += ["There are no figures in this archive."]
    out += ["", "## Verify the archive", "```sh", "triad archive --verify .", f"sha256sum -c {manifest.NAME}    # without Triad", "```"]
    out += (["", "## Notes", *(f"- {note}" for note in notes)] if notes else [])
    return "\n".join(out) + "\n"
