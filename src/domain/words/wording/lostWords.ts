/** The outcome of a message in delivery that nobody observed, by how far it had come. */
export const lostWords = {
  started: "leap ended during its turn, and how that turn ended was not seen",
  submitted: "it was sent just before leap ended; whether its turn began was not seen",
  typed: "leap ended while it was being typed; it may have been sent",
  removed: "removed from the queue before it was sent"
}
