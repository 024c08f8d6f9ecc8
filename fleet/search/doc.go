// Package search finds plans for the routes of vehicles.
//
// Solve begins with a given plan, or none, and improves it by ruin and recreate with
// slack induction by string removals (Christiaens and Vanden Berghe, 2020) under
// simulated annealing. Several walkers exchange the plans that they find; in a long
// search each of them restarts a few times first. Every plan that it returns passes
// fleet.Verify. Estimate predicts what Solve will take.
//
// A problem is compiled into a model.Model, which does not change during a search. The plan
// of a walker has layers: routes are the stops of each trip with what makes it quick to
// evaluate a change; insertion finds the cheapest place of a task in them; unassigned
// lists the tasks that are left out; state joins the three, and can undo a change.
// Starts, ruins, recreations and exchanges of vehicles change a state.
package search
