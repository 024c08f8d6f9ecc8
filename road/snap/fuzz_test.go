package snap

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// FuzzRead damages an index: reading it gives an error, or verifying it says
// what is wrong, or it is the whole one.
func FuzzRead(f *testing.F) {
	g := scattered(rand.New(rand.NewPCG(1, 2)), 200)
	whole := regiontest.Written(f, Build(g).Write)
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 1000)
	f.Fuzz(func(_ *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		if t, err := read(s); err == nil {
			_ = t.Verify(g) // an error or none, and no panic
		}
	})
}
