/* Rules of a case: keys that need or exclude each other, and words of other solvers.   ranks: 1 */
#include "cases.h"

#include "case/case.h"

TRIAD_TEST(words_of_other_solvers_are_named_with_their_solvers)
{
  fails_with(SMALLEST, "initial.kind=sod", "initial.kind = \"sod\" is not available in solver hd, only in compressible",
             1);
  fails_with(SMALLEST, "initial.kind=alfven-wave",
             "initial.kind = \"alfven-wave\" is not available in solver hd, only in mhd", 1);
  fails_with(SMALLEST, "time.scheme=split2",
             "time.scheme = \"split2\" is not available in solver hd, only in gpe: use \"rk3\", \"rk2\", \"rk4\"\n", 1);
  fails_with(SMALLEST, "forcing.field=theta",
             "forcing.field = \"theta\" is not available in solver hd, only in boussinesq", 1);
  fails_with(SMALLEST, "equations.gamma=1.4", "\"equations.gamma\" is not a key of solver hd, only of compressible", 1);
  fails_with(SMALLEST, "equations.resistivity=1", "\"equations.resistivity\" is not a key of solver hd, only of mhd",
             1);
  /* what only some solver takes is no error while the solver is not known; what none takes is one */
  fails_with(SMALLEST, "equations.solver=\"hydro\"", "equations.solver: \"hydro\" is not one of \"hd\"", 1);
  fails_with("initial.kind = \"sod\"\ntime.scheme = \"ssprk3\"\n", NULL, "missing required key \"equations.solver\"",
             1);
  fails_with("initial.kind = \"none\"\n", NULL, "initial.kind: \"none\" is not one of", 2);
}

TRIAD_TEST(rules_of_a_family_stand_where_the_key_stands)
{
#define GAS "equations.solver = \"compressible\"\ngrid.n = [8, 8, 8]\ntime.end = 1\n"
  fails_with(GAS "initial.kind = \"sod\"\nboundaries.x = [\"periodic\", \"outflow\"]\n", NULL,
             "case.toml:5:12: error: boundaries.x: \"periodic\" must be set at both ends or at none", 1);
  fails_with(GAS "initial.kind = \"uniform\"\ninitial.state = [1, 0, 0, 0, -1]\n", NULL,
             "case.toml:5:9: error: initial.state: density 1 and pressure -1 must be positive", 1);
  fails_with(GAS "initial.kind = \"sod\"\nequations.flux = \"central\"\nequations.positivity = true\n",
             "equations.weights=js", "equations.weights has no effect with equations.flux", 2);
  fails_with(GAS "initial.kind = \"shock-vortex\"\n", "initial.mach=0.5",
             "the Mach number of a shock must be at least 1", 1);
#undef GAS
}

TRIAD_TEST(step_is_fixed_or_courant_never_both)
{
  const char *both = "time.dt and time.cfl both set the time step: give one of them";
  fails_with(SMALLEST "dt = 1e-3\ncfl = 0.5\n", NULL, both, 1);
  triad_case *c = good(SMALLEST "cfl = 0.4\n", "time.dt=1e-3", NULL);
  TRIAD_NEAR(triad_case_real(c, "time.dt"), 1e-3, 0, "dt typed");
  TRIAD_EQUAL(triad_case_given(c, "time.cfl"), 0, "the file's cfl is replaced");
  triad_case_destroy(&c);
  c = good(SMALLEST "dt = 1e-3\n", "time.cfl=0.3", NULL);
  TRIAD_NEAR(triad_case_real(c, "time.dt"), 0, 0, "the file's dt is replaced");
  triad_case_destroy(&c);
  int status;
  c = parsed(SMALLEST, &status, "time.dt=1e-3", "time.cfl=0.3", NULL);
  TRIAD_EQUAL(status, TRIAD_ERR_CASE, "both typed");
  TRIAD_HOLDS(c && strstr(triad_case_errors(c), both), "%s", c ? triad_case_errors(c) : "");
  triad_case_destroy(&c);
}

TRIAD_TEST(keys_that_need_each_other_are_checked)
{
  fails_with(SMALLEST, "initial.kind=file", "initial.kind \"file\" needs initial.file", 1);
  fails_with(SMALLEST, "initial.kind=checkpoint", "initial.kind \"checkpoint\" needs initial.file", 1);
  fails_with(SMALLEST, "forcing.k_range=[3,2]", "forcing.k_range: the lower end 3.0 is above the upper end 2.0", 1);
  fails_with(SMALLEST "[forcing]\nkind = \"random\"\n", "forcing.k_range=[0,0]",
             "forcing.k_range contains only the mean mode", 1);
  triad_case *c = good(SMALLEST, "initial.kind=file", "initial.file=ic.h5");
  triad_case_destroy(&c);
}

TRIAD_MAIN
