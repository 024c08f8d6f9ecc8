package plan

import (
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
)

// liveFor is how many seconds of a journey what is live counts for, ever less: the
// farther ahead, the more counts what is usual there.
const liveFor = 3600

// SecondsAt returns the time that an original edge takes to who comes to it so many
// seconds after he sets out, where no speed limit on it depends on the time.
func (p *pathTimer) SecondsAt(e graph.Edge, elapsed float64) float64 {
	if p.Query.When == nil || p.Query.When.Type != engine.Now || !p.Who.View.Live {
		return p.Weights.Seconds(e)
	}
	live := p.Base.Current.Get()
	kmh, known := p.Weights.Overlay.Speed(e)
	if !known || live.LiveSpeed(e) == 0 {
		return p.Weights.Seconds(e)
	}
	elapsed += p.LocalTime.Sub(p.began).Seconds()
	free := p.Costing.Speed(e)
	usual := free
	if p.Who.View.Hour > 0 {
		hour := overlay.HourOfWeek(p.began.Add(time.Duration(elapsed * float64(time.Second))))
		if v := live.Profile.Speed(e, hour); v > 0 {
			usual = min(usual, float64(v))
		}
	}
	share := max(0, 1-elapsed/liveFor)
	return p.Costing.SecondsAt(e, share*min(kmh, free)+(1-share)*usual)
}
