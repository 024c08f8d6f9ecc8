// Package fleet plans the routes of vehicles: who serves which job, in which
// order and when. It knows matrices of times and distances, and neither maps
// nor requests.
//
// A Problem holds vehicles, jobs (one stop each) and shipments (a pickup and
// its delivery by one vehicle) over matrices of ways. Solve gives a Plan that
// keeps every constraint and lists what it leaves out; Verify judges a plan by
// the problem alone, and Solve lets none pass that Verify has something against.
// Explain says why a task was left out and by how little it could be served.
// Estimate says what Solve will take.
//
// A plan is better by the sum of the priorities it serves, then by the number of
// tasks, then by cost. Times are whole seconds and distances whole metres for
// callers who give matrices of those; nothing here depends on the unit.
//
// The search begins with a given plan, or none, and goes on by ruin and recreate
// with slack induction by string removals (Christiaens and Vanden Berghe, 2020)
// under simulated annealing, by several walkers that exchange what they found and,
// where a search is long, begin anew a few times before.
package fleet
