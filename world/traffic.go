package world

import (
	"fmt"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
)

// KnownTraffic returns the traffic known in the region, nil where no source of it is set
// up.
func (r *Region) KnownTraffic() *engine.KnownTraffic {
	s := r.Roads()
	if s == nil || !s.Traffic && s.Live.Profile.Edges() == 0 {
		return nil
	}
	t := &engine.KnownTraffic{Along: r.embedded.TrafficAlong}
	var sources []string
	for i := range s.Sources {
		x := &s.Sources[i]
		if x.Kind != trafficKind {
			continue
		}
		t.Stale = t.Stale || x.Stale
		if x.At == nil {
			sources = append(sources, x.Source.Title()+": nothing received yet")
			continue
		}
		sources = append(sources, fmt.Sprintf("%s of %s", x.Source.Title(), x.At.UTC().Format(time.RFC3339)))
	}
	if len(sources) > 0 {
		t.Note = "traffic by " + strings.Join(sources, ", ")
	}
	return t
}
