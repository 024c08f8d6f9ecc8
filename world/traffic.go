package world

import (
	"fmt"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
)

// KnownTraffic is what is known of traffic in the region; nil where no source of it
// is set up.
func (r *Region) KnownTraffic() *engine.KnownTraffic {
	s := r.Roads()
	if s == nil || !s.Traffic && s.Live.Profile.Edges() == 0 {
		return nil
	}
	t := &engine.KnownTraffic{Along: r.embedded.KnownAlong}
	var told []string
	for i := range s.Sources {
		x := &s.Sources[i]
		if x.Kind != trafficKind {
			continue
		}
		t.Stale = t.Stale || x.Stale
		if x.At == nil {
			told = append(told, x.Source.Title()+": nothing received yet")
			continue
		}
		told = append(told, fmt.Sprintf("%s of %s", x.Source.Title(), x.At.UTC().Format(time.RFC3339)))
	}
	if len(told) > 0 {
		t.Note = "traffic by " + strings.Join(told, ", ")
	}
	return t
}
