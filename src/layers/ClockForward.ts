import { type Clock, Effect } from "effect"

/**
 * A clock that never goes back. When the machine's time is set back it goes on by the monotonic clock, ahead of the new
 * time; when it jumps forward (a machine that slept) so does this: whoever waits for a moment gets there.
 */
export const from = (clock: Clock.Clock, wall: () => number, monotonic: () => number): Clock.Clock => {
  let now = wall()
  let lastWall = now
  let lastMonotonic = monotonic()
  const read = (): number => {
    const [w, m] = [wall(), monotonic()]
    const passed = Math.max(0, m - lastMonotonic)
    now += w < lastWall ? passed : Math.max(passed, w - lastWall)
    lastWall = w
    lastMonotonic = m
    return Math.floor(now)
  }
  return {
    currentTimeMillisUnsafe: read,
    currentTimeMillis: Effect.sync(read),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}
