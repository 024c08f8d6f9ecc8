package engine

import (
	"context"
	"math"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

// KnownTraffic gives access to the known traffic where an engine's routes lead. Nil is a
// deployment without traffic data.
type KnownTraffic struct {
	// Along walks a line in short steps and yields for each where it begins, its length, and
	// the known traffic there. The error is the context's.
	Along func(ctx context.Context, line []geo.Point, yield func(arc, metres float64, k TrafficFacts)) error
	Stale bool   // some of the data are too old to be live
	Note  string // whose data they are, and how old
}

// TrafficFacts has the facts that are known of the speed of traffic at a place.
type TrafficFacts struct {
	Covered bool // the place is on the network that traffic data are of
	Live    bool // its speed is live
	Old     bool // it was, and is too old to count
	Usual   bool // its usual speed is known, if perhaps not of every hour of the week
}

// LiveSeconds is how far into a journey what is live now counts, ever less.
const LiveSeconds = 3600

// SpeedSources reports what a request allows to be claimed of a traveller's times: that they
// rest on live speeds, and on usual ones. Those of walkers and cyclists never do, since
// these are speeds of motor traffic.
func (b *Conditions) SpeedSources(of costing.Costing) (live, usual bool) {
	if b.When == nil || !of.Motorised() {
		return false, false
	}
	return b.When.Type == Now && b.Wants("current"), b.Wants("predicted")
}

// Shares are the shares of a way by what its times rest on.
// Predicted is the share of live speeds as they are expected to become by the time one comes there,
// from what is usual then; Usual is of roads without live speeds.
// Old is of roads whose live speeds would count if they were not too old.
type Shares struct{ Covered, Live, Predicted, Usual, Default, Old float64 }

// How far times can be trusted by what they rest on.
const (
	liveTrust    = 0.9
	usualTrust   = 0.6
	defaultTrust = 0.3
)

// Confidence returns how far times can be trusted, 0 to 1.
func (s Shares) Confidence() float64 {
	return math.Round((s.Live*liveTrust+(s.Predicted+s.Usual)*usualTrust+s.Default*defaultTrust)*1000) / 1000
}

// Sources names what times rest on.
func (s Shares) Sources() []string {
	list := []string{}
	for _, x := range []struct {
		name  string
		share float64
	}{{"live", s.Live}, {"predicted", s.Predicted}, {"profile", s.Usual}, {"default", s.Default}} {
		if x.share > 0 {
			list = append(list, x.name)
		}
	}
	return list
}

// Stretch is a way whose times are to be explained.
type Stretch struct {
	Line    []geo.Point
	Seconds float64 // it takes
	After   float64 // seconds from setting out to its beginning
}

// Shares returns what a traveller's times of a stretch rest on, as far as the conditions
// of the request allow to claim it. What is live counts ever less with the time it takes to
// get there.
func (t *KnownTraffic) Shares(ctx context.Context, of costing.Costing, c *Conditions, s Stretch) (Shares, error) {
	var out Shares
	live, usual := c.SpeedSources(of)
	length := geo.Length(s.Line)
	if t == nil || t.Along == nil || length == 0 {
		return Shares{Default: 1}, nil
	}
	err := t.Along(ctx, s.Line, func(arc, metres float64, k TrafficFacts) {
		part := metres / length
		if k.Covered {
			out.Covered += part
		}
		if live && k.Old {
			out.Old += part
		}
		if live && k.Live {
			fresh := part * max(0, 1-(s.After+s.Seconds*arc/length)/LiveSeconds)
			out.Live += fresh
			part -= fresh
		}
		switch {
		case !usual || !k.Usual:
			out.Default += part
		case live && k.Live:
			out.Predicted += part
		default:
			out.Usual += part
		}
	})
	return out.rounded(), err
}

// rounded has four digits; what is left of the sum is the default.
func (s Shares) rounded() Shares {
	round := func(v float64) float64 { return math.Min(1, math.Round(v*1e4)/1e4) }
	out := Shares{Covered: round(s.Covered), Live: round(s.Live), Predicted: round(s.Predicted), Usual: round(s.Usual), Old: round(s.Old)}
	out.Default = math.Max(0, round(1-out.Live-out.Predicted-out.Usual))
	return out
}

// StaleFor reports whether data are too old to be live: those of a source, or all that
// there are of a way.
func (t *KnownTraffic) StaleFor(s Shares) bool { return t.Stale || s.Old > 0 && s.Live == 0 }

// Why says in words what shares rest on.
func (t *KnownTraffic) Why(of costing.Costing, c *Conditions, s Shares) string {
	var list []string
	if t.Note != "" {
		list = append(list, t.Note)
	}
	live, usual := c.SpeedSources(of)
	switch {
	case !of.Motorised():
		list = append(list, "neither live nor usual speeds count by "+of.String())
	case c.When == nil:
		list = append(list, "without date_time neither live nor usual speeds count; date_time.type 0 is now")
	case !live && !usual:
		list = append(list, "speed_types leaves out current and predicted speeds")
	case s.Covered == 0:
		list = append(list, "none of the way is on the roads that traffic data are of: its times rest on the default speeds")
	}
	if t.StaleFor(s) {
		list = append(list, "live data are older than five minutes and support no live claim")
	}
	return strings.Join(list, "; ")
}
