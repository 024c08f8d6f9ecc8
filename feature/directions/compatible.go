package directions

import (
	"errors"
	"fmt"
	"slices"

	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
)

// Compatible checks a request of the compatible endpoint: the profile and the
// coordinates of its path, unescaped, and its query as it was sent.
func (s *Service) Compatible(profile, coordinates, rawQuery string) (*Request, error) {
	r := &Request{}
	limits := compatible.Limits{Least: 2, Most: MaxLocations, Bounds: s.Bounds}
	q, err := compatible.Read(profile, coordinates, rawQuery, limits, r.parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle)
	if err != nil {
		return nil, err
	}
	if err := q.Drawn("landmarks"); err != nil {
		return nil, err
	}
	r.Landmarks = q.True("landmarks")
	r.Route = q.Route
	if words := slices.Concat(r.words[0], r.words[1]); len(words) > 0 {
		if err := r.avoids(r.words[0], r.words[1], q.Chosen); err != nil {
			return nil, explained(err, words)
		}
	}
	if err := q.Settle(); err != nil {
		return nil, err
	}
	r.Route.Options = q.Route.Options
	if err := r.stop(); err != nil {
		return nil, err
	}
	if s.Remote && len(r.Route.Locations) > 2 {
		r.Route.Alternates = 0
	}
	return r, nil
}

// theirWords are the words that other servers of the kind have for what is
// called otherwise here.
var theirWords = map[string]string{"motorway": "highways", "toll": "tolls", "ferry": "ferries", "bridge": "bridges", "tunnel": "tunnels"}

// explained adds to a refusal of avoid or exclude what the words of other
// servers are called here.
func explained(err error, words []string) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	for _, w := range words {
		if ours := theirWords[w]; ours != "" {
			told.Detail += fmt.Sprintf("; what other servers call %s is %s here", w, ours)
		}
	}
	return &told
}
