/* Riemann solvers of the gas, one row for each. The enumeration, the words of the keys with their help and references,
 * the loops of all families on both devices, and the tests are generated from these rows. */
#ifndef TRIAD_SOLVERS_GAS_KINDS_H
#define TRIAD_SOLVERS_GAS_KINDS_H

/* Kind; word of equations.riemann (multiblock, compressible) and equations.low_order (fct); meaning of the word;
 * function (solvers/gas/riemann.h); Courant number up to which a first-order step keeps density and pressure of any
 * gas positive, 0: none does; reference: key, authors, title, journal, volume, pages, year. */
#define TRIAD_GAS_FLUXES(X) \
  X(TRIAD_GAS_ROE, "roe", "Roe's, with Harten's entropy fix", triad_gas_roe, 0, "Roe1981", "Roe, P. L.", \
    "Approximate {Riemann} solvers, parameter vectors, and difference schemes", "Journal of Computational Physics", \
    "43", "357--372", "1981") \
  X(TRIAD_GAS_VAN_LEER, "van-leer", "van Leer's flux vector splitting", triad_gas_van_leer, 0.5, "VanLeer1982", \
    "van Leer, Bram", "Flux-vector splitting for the {Euler} equations", "Lecture Notes in Physics", "170", \
    "507--512", "1982") \
  X(TRIAD_GAS_STEGER_WARMING, "steger-warming", "Steger and Warming's flux vector splitting", \
    triad_gas_steger_warming, 0.5, "StegerWarming1981", "Steger, Joseph L. and Warming, R. F.", \
    "Flux vector splitting of the inviscid gasdynamic equations with application to finite-difference methods", \
    "Journal of Computational Physics", "40", "263--293", "1981") \
  X(TRIAD_GAS_AUSM, "ausm+", "Liou's advection upstream splitting", triad_gas_ausm, 0, "Liou1996", "Liou, Meng-Sing", \
    "A sequel to {AUSM}: {AUSM}+", "Journal of Computational Physics", "129", "364--382", "1996") \
  X(TRIAD_GAS_HLLC, "hllc", "Toro's, with the contact, waves by Davis", triad_gas_hllc, 0.5, "Toro1994", \
    "Toro, E. F. and Spruce, M. and Speares, W.", "Restoration of the contact surface in the {HLL}-{Riemann} solver", \
    "Shock Waves", "4", "25--34", "1994") \
  X(TRIAD_GAS_RUSANOV, "rusanov", "Rusanov's, the fastest wave for all", triad_gas_rusanov, 1, "Rusanov1962", \
    "Rusanov, V. V.", "The calculation of the interaction of non-stationary shock waves and obstacles", \
    "USSR Computational Mathematics and Mathematical Physics", "1", "304--320", "1962") \
  X(TRIAD_GAS_ROE_SONIC, "roe-sonic", "Roe's, with Harten and Hyman's entropy fix of sound waves alone", \
    triad_gas_roe_sonic, 0, "HartenHyman1983", "Harten, Ami and Hyman, James M.", \
    "Self adjusting grid methods for one-dimensional hyperbolic conservation laws", \
    "Journal of Computational Physics", "50", "235--269", "1983")

#define TRIAD_GAS_KIND(kind, ...) kind,
#define TRIAD_GAS_ONE_MORE(...) +1
typedef enum triad_gas_riemann { TRIAD_GAS_FLUXES(TRIAD_GAS_KIND) } triad_gas_riemann;
enum { TRIAD_GAS_RIEMANN_KINDS = 0 TRIAD_GAS_FLUXES(TRIAD_GAS_ONE_MORE) };
#undef TRIAD_GAS_KIND
#undef TRIAD_GAS_ONE_MORE

#endif
