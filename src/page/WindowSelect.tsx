import { minutes } from "./store.ts"
import { duration } from "./words.ts"

const windows = [5, 15, 60, 240, 1440]

/** How far back the timeline and the charts reach: one choice for all of them. */
export const WindowSelect = () => (
  <label>
    Last{" "}
    <select
      value={String(minutes.value)}
      onChange={({ currentTarget }) => (minutes.value = Number(currentTarget.value))}
    >
      {windows.map((count) => (
        <option key={count} value={String(count)}>
          {duration(count * 60_000)}
        </option>
      ))}
    </select>
  </label>
)
