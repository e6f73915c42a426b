/* What a test may ask of the device that is the host. */
#ifndef TRIAD_TESTS_FAKE_DEVICE_H
#define TRIAD_TESTS_FAKE_DEVICE_H

/* How often triad_device_replay has been called in this process. */
int fake_replays(void);

#endif
