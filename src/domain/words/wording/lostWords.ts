/** What is told of a message without an outcome: how far a lost one had come, or that it was removed. */
export const lostWords = {
  started: "leap ended during its turn, and how that turn ended was not seen",
  submitted: "it was sent just before leap ended; whether its turn began was not seen",
  typed: "leap ended while it was being typed; it may have been sent",
  removed: "removed from the queue before it was sent"
}
