/* Formulas within the fused x pass of a set (fft/gpu/device_fused.h), for NVRTC: included after cuda/spectral/points.cu
 * and the source of the formulas (formula_kernel.h). The template below is the pass with one more result for each
 * formula, whose values are only in registers. */
#ifndef TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_PASS_H
#define TRIAD_SOLVERS_SPECTRAL_FORCE_FORMULA_PASS_H

#define TRIAD_FORMULA_WITHIN
#include "solvers/spectral/force/formula_kernel.h"

template <class P> struct beside : P {
  struct law {
    alignas(8) typename P::law own;
    alignas(8) triad_formula_places at;
  };
  enum {
    BESIDE = TRIAD_FORMULA_RESULTS,
    AMONG = (TRIAD_FORMULA_READS) >> (int)P::HELD != 0, /* they read the field that is carried, of which there is one */
    SUMS = ((TRIAD_FORMULA_PUSHES) & ((TRIAD_FORMULA_PUSHES)-1)) != 0 /* |f|^2 is a sum of several */
  };
  static __device__ __forceinline__ void point(const law &c, double dt, const triad_real *in, triad_real *out)
  {
    P::point(c.own, dt, in, out);
  }
  static __device__ __forceinline__ triad_real product(const law &c, double dt, int r, const triad_real *in)
  {
    return P::product(c.own, dt, r, in);
  }
  static __device__ __forceinline__ triad_real rate(const law &c, const triad_real *in) { return P::rate(c.own, in); }

  /* Formula r at x of a row, of the fields there. */
  static __device__ __forceinline__ double value(const triad_formula_places &p, int r, int x, int64_t row,
                                                 const triad_real *fields)
  {
    double v[TRIAD_FORMULA_ROOM];
    triad_formula_at(p, x, row, v);
#pragma unroll
    for (int f = 0; f < (int)P::HELD + AMONG; f++) v[TRIAD_FORMULA_AHEAD + f] = (double)fields[f];
    return triad_formula_value(r, p, x, p.row + row, v);
  }

  /* Results first .. first + BESIDE - 1 of a line, which begins at `row`; carried: this thread's points of the field
   * that is. */
  template <int N, class At>
  static __device__ __forceinline__ void lines(const law &c, int row,
                                               const dcplx (*u)[factored<fused_form<N, beside>::LINE>::E],
                                               const dcplx *parked, const dcplx *carried, fused_line &l,
                                               const fused_target &to, At at, int first, fastest &most)
  {
    typedef fused_form<N, beside> form;
    typedef factored<form::LINE> F;
    /* points of an element: of two rows, or two of one */
    constexpr int APART = form::ROWS == 2 ? 0 : 1, EACH = form::ROWS == 2 ? 1 : 2;
    const triad_formula_places &p = c.at;
    double square[SUMS ? F::E : 1][2];
    /* the point of half `which` of element m */
    const auto x_of = [&](int m, int which) { return EACH * (l.t + m * F::G) + APART * which; };
    const auto row_of = [&](int which) { return row + (1 - APART) * which; };
    const auto is_there = [&](int which) { return to.rows > (1 - APART) * which; };
    const auto fields_at = [&](int m, int which, triad_real *a) {
#pragma unroll
      for (int f = 0; f < (int)P::HELD + AMONG; f++) {
        const dcplx q =
          f < (int)P::HELD ? held<form::LINE, beside>(u, parked, f < (int)P::HELD ? f : 0, m) : carried[m * F::G];
        a[f] = which ? q.y : q.x;
      }
    };
#pragma unroll
    for (int r = 0; r < BESIDE; r++) {
      dcplx line[1][F::E];
      double none = 0;
#pragma unroll
      for (int m = 0; m < F::E; m++) {
        double values[2];
#pragma unroll
        for (int which = 0; which < 2; which++) {
          triad_real a[(int)P::HELD + AMONG];
          fields_at(m, which, a);
          const double value_there = is_there(which) ? value(p, r, x_of(m, which), row_of(which), a) : 0;
          values[which] = value_there;
          none += value_there * 0;
          if ((TRIAD_FORMULA_PUSHES) >> r & 1) {
            const double s = value_there * value_there;
            if (SUMS)
              square[SUMS ? m : 0][which] =
                ((TRIAD_FORMULA_PUSHES) & ((1u << r) - 1)) != 0 ? square[SUMS ? m : 0][which] + s : s;
            else if (p.measures && s > 0) most.see((triad_real)sqrt(fabs(value_there) / p.least));
          }
        }
        line[0][m] = dcplx{(triad_real)values[0], (triad_real)values[1]};
      }
      if (none != 0) { /* it is rare, and then all is looked at again */
        for (int which = 0; which < 2; which++)
#pragma unroll
          for (int m = 0; m < F::E; m++) {
            triad_real a[(int)P::HELD + AMONG];
            fields_at(m, which, a);
            bool finite = is_there(which);
#pragma unroll
            for (int f = 0; f < (int)P::HELD + AMONG; f++)
              if ((TRIAD_FORMULA_READS) >> f & 1) finite = finite && triad_formula_is_number((double)a[f]);
            const double again = finite ? value(p, r, x_of(m, which), row_of(which), a) : 0;
            if (!triad_formula_is_number(again)) triad_formula_note(p, x_of(m, which), row_of(which), r, again);
          }
      }
      fused_transform<-1, form::LINE, 1>(line, l.x, l.t, l.table);
      form::template store<1>(line, l, to, at, first + r);
    }
    if constexpr (SUMS != 0)
      if (p.measures)
#pragma unroll
        for (int m = 0; m < F::E; m++)
#pragma unroll
          for (int which = 0; which < 2; which++) most.see((triad_real)sqrt(sqrt(square[m][which]) / p.least));
  }
};

#endif
