package geocode

import (
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/world"
)

// Sources returns the indexes of the regions in service, but of those whose files are
// damaged.
func Sources(w *world.World) []geocode.Source {
	var all []geocode.Source
	for _, r := range w.Regions() {
		if r.Places != nil && w.InService(r.ID) == nil {
			all = append(all, geocode.Source{ID: r.ID, Name: r.Name, Bounds: r.Bounds, Attribution: r.Attribution, Index: r.Places})
		}
	}
	return all
}
