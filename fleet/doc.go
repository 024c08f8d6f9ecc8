// Package fleet describes vehicle routing problems and their plans (which vehicle
// serves which task, in which order and when), and checks plans. It works on matrices
// of times and distances, and depends on neither maps nor requests.
//
// A Problem has vehicles, jobs (one stop each) and shipments (a pickup and its delivery
// by one vehicle) over matrices of ways. Check finds errors that make planning
// impossible. A Plan keeps every constraint and lists the tasks that it leaves out;
// Verify checks a plan against the problem alone. Package search finds plans; package
// explain finds out why a task was left out and what smallest change would let it be served.
//
// Plans are compared first by the sum of the priorities that they serve, then by the
// number of tasks, then by cost. Times are whole seconds and distances whole metres for
// callers whose matrices are in those units; nothing here depends on the unit.
package fleet
