/* The part of a cell's volume within a sphere: the cell is cut into tetrahedra, which are halved until they are small
 * or entirely inside or outside. */
#include "mesh/sphere.h"
#include "mesh/mesh.h"

#include <math.h>

enum { HALVINGS = 10 }; /* a leaf is an eighth as long as the cell, so that its side of the sphere matters little */

static double volume_of(double x[4][3])
{
  double d[3][3];
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < 3; a++) d[i][a] = x[i + 1][a] - x[0][a];
  return fabs(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
              d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0])) /
         6;
}

static double distance(const double a[3], const double b[3])
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void longest_edge(double x[4][3], int edge[2])
{
  double longest = -1;
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++) {
      double length = distance(x[i], x[j]);
      if (length <= longest) continue;
      longest = length;
      edge[0] = i;
      edge[1] = j;
    }
}

static double within(double x[4][3], const double centre[3], double radius, int depth)
{
  double mean[3] = {0, 0, 0}, size = 0;
  for (int i = 0; i < 4; i++)
    for (int a = 0; a < 3; a++) mean[a] += x[i][a] / 4;
  for (int i = 0; i < 4; i++) size = fmax(size, distance(x[i], mean));
  double from = distance(mean, centre);
  if (from + size <= radius) return volume_of(x);
  if (from - size >= radius) return 0;
  if (depth == 0) return from < radius ? volume_of(x) : 0;
  int edge[2] = {0, 1};
  double sum = 0;
  longest_edge(x, edge);
  for (int half = 0; half < 2; half++) {
    double part[4][3];
    for (int i = 0; i < 4; i++)
      for (int a = 0; a < 3; a++) part[i][a] = i == edge[half] ? (x[edge[0]][a] + x[edge[1]][a]) / 2 : x[i][a];
    sum += within(part, centre, radius, depth - 1);
  }
  return sum;
}

/* The mean of the middles of a cell's sides. Not the centre that was measured, which a part of tetrahedra alone
 * reckons in another way than a mesh of all kinds: where edges are equally long a rounding picks the one that is
 * halved. */
static void middle_of(const triad_mesh *m, int64_t c, double middle[3])
{
  const int sides = triad_mesh_sides(m, c);
  for (int a = 0; a < 3; a++) middle[a] = 0;
  for (int s = 0; s < sides; s++) {
    int32_t room[TRIAD_MESH_SIDE_POINTS];
    int n;
    const int32_t *point = triad_mesh_side(m, c, s, room, &n);
    for (int i = 0; i < n; i++)
      for (int a = 0; a < 3; a++) middle[a] += m->x[point[i]][a] / n / sides;
  }
}

double triad_mesh_within(const triad_mesh *m, int64_t c, const double centre[3], double radius)
{
  double sum = 0, all = 0, middle[3];
  middle_of(m, c, middle);
  for (int s = 0; s < triad_mesh_sides(m, c); s++) {
    int32_t room[TRIAD_MESH_SIDE_POINTS];
    int n;
    const int32_t *point = triad_mesh_side(m, c, s, room, &n);
    double x[4][3] = {{middle[0], middle[1], middle[2]}};
    for (int a = 0; a < 3; a++) {
      for (int i = 0; i < n; i++) x[1][a] += m->x[point[i]][a] / n;
    }
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < 3; a++) {
        x[2][a] = m->x[point[i]][a];
        x[3][a] = m->x[point[(i + 1) % n]][a];
      }
      sum += within(x, centre, radius, HALVINGS);
      all += volume_of(x);
    }
  }
  return all > 0 ? sum / all : 0;
}
