/* What a test may ask of the device that is the host. */
#ifndef TRIAD_TESTS_FAKE_DEVICE_H
#define TRIAD_TESTS_FAKE_DEVICE_H

#include <stdint.h>

/* How often triad_device_replay has been called in this process. */
int fake_replays(void);

/* Bytes that triad_device_put and triad_device_get have copied between host and device in this process, either way. */
int64_t fake_copied(void);

#endif
