package directions

import (
	"context"
	"slices"

	"github.com/waygate/waygate/engine"
)

// Traffic reports the known traffic on a leg.
type Traffic struct {
	CoveredPct float64       `json:"covered_pct" minimum:"0" maximum:"1" doc:"share of the leg's length with traffic data; 0 is no data, not a clear road"`
	Confidence float64       `json:"confidence" minimum:"0" maximum:"1" doc:"in the times of the leg, weighted by length"`
	Band       string        `json:"band" enum:"live,typical,default" doc:"live above 0.7, typical from 0.5, else default speeds"`
	Sources    []string      `json:"sources" doc:"that speeds rest on: live, predicted, profile, default; empty where the routing engine does not say"`
	Shares     TrafficShares `json:"shares" doc:"of the leg's length, by source"`
	DistanceM  float64       `json:"distance_m" doc:"metres of the leg"`
	Stale      bool          `json:"stale" doc:"the data were too old for a live claim"`
	Note       string        `json:"note"`
	Caveats    []string      `json:"caveats"`
}

// TrafficShares are the shares of a leg by the source of its speeds.
type TrafficShares struct {
	Live      float64 `json:"live"`
	Predicted float64 `json:"predicted" doc:"what live speeds fade into by the time one comes there: the usual speeds of that hour"`
	Profile   float64 `json:"profile" doc:"usual speeds of the hour, where nothing is live or a time is stated"`
	Default   float64 `json:"default"`
}

// uncertain is said of every leg.
const uncertain = "covered_pct 0 means that there is no data, not that the road is clear"

// traffic returns for every leg of the routes what its times rest on.
func traffic(ctx context.Context, known *engine.KnownTraffic, q *engine.RouteRequest, routes []engine.Route) ([]*Traffic, error) {
	var all []*Traffic
	for i := range routes {
		after := 0.0
		for j := range routes[i].Legs {
			leg := &routes[i].Legs[j]
			shares, err := known.Shares(ctx, q.Costing, &q.Conditions, engine.Stretch{Line: leg.Line, Seconds: leg.Seconds, After: after})
			if err != nil {
				return nil, err
			}
			after += leg.Seconds
			all = append(all, &Traffic{
				CoveredPct: shares.Covered, Confidence: shares.Confidence(), Band: band(shares.Confidence()), Sources: shares.Sources(),
				Shares: TrafficShares{Live: shares.Live, Predicted: shares.Predicted, Profile: shares.Usual, Default: shares.Default}, DistanceM: leg.Rounded().Metres, Stale: known.StaleFor(shares),
				Note: known.Why(q.Costing, &q.Conditions, shares), Caveats: []string{uncertain, "what is live now counts less the later the journey comes there, and nothing after an hour"},
			})
		}
	}
	return all, nil
}

// band returns the word for a confidence.
func band(confidence float64) string {
	switch {
	case confidence > 0.7:
		return "live"
	case confidence >= 0.5:
		return "typical"
	}
	return "default"
}

// noTraffic returns a block for every leg of the routes that there is no traffic data.
// sources are those that the engine names for its speeds; nil where it names none.
func noTraffic(routes []engine.Route, sources []string) []*Traffic {
	block := Traffic{
		Band: "default", Sources: sources, Note: "this deployment has no traffic data: the times rest on the default speeds of the roads and know of no congestion",
		Caveats: []string{uncertain},
	}
	if sources == nil {
		block.Sources = []string{}
		block.Note = "this deployment has no traffic data, and its routing engine does not say whether its speeds come from traffic; none is claimed"
	} else if slices.Contains(sources, "default") {
		block.Shares.Default = 1
	}
	var all []*Traffic
	for i := range routes {
		for j := range routes[i].Legs {
			leg := block
			leg.DistanceM = routes[i].Legs[j].Rounded().Metres
			all = append(all, &leg)
		}
	}
	return all
}
