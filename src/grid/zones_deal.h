/* Assign the cells of zones to ranks. */
#ifndef TRIAD_GRID_ZONES_DEAL_H
#define TRIAD_GRID_ZONES_DEAL_H

#include "grid/zones.h"

/* Cut zones into parts and assign them to `size` ranks. If there are more ranks than zones each zone is divided like a
 * box, and into more pieces if that balances better; each piece goes to the rank with the fewest cells. pieces > 0:
 * cut each zone into at least that many. along: the axis of zones that is divided, -1: any. Parts are at least two
 * cells thick if their zone is. TRIAD_ERR_CASE if a rank would have no cells; TRIAD_ERR_MEMORY. */
int triad_zones_deal(triad_zones *zones, int size, int pieces, int along);

#endif
