"""Riemann solvers of solvers/gas/riemann.h against the formulas of their papers (help/gas_fluxes.py), for random states and faces."""
import pytest

from gas_fluxes import FLUXES, through
from gas_library import compile_fluxes, fluxes_of, random_faces, size_of_flux, words


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compile_fluxes(tmp_path_factory.mktemp("gas"))


def test_every_kind_has_a_formula(library):
    assert sorted(words(library)) == sorted(FLUXES)


@pytest.mark.parametrize("word", sorted(FLUXES))
def test_fluxes_are_those_of_their_papers(library, word):
    l, r, s = random_faces(4000)
    found = fluxes_of(library, words(library).index(word), l, r, s)
    assert (abs(found - through(FLUXES[word], l, r, s)) / size_of_flux(l, r, s)).max() < 1e-13
