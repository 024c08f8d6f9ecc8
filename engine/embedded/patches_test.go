package embedded

import (
	"testing"

	"github.com/waygate/waygate/road/contour"
)

// TestPatchesAreKept holds that a block without a patch is known to have none, so that
// nobody draws it again, and that the sum of bytes is that of what is kept.
func TestPatchesAreKept(t *testing.T) {
	d := contour.NewDrawer(contour.NewPlane(50))
	road := d.Patch([]contour.Road{{Line: contour.Line{{Lon: 0, Lat: 500_000_000}, {Lon: 10_000, Lat: 500_010_000}}, Bits: 1}})
	kept := &patches{}
	if _, known := kept.get(7); known {
		t.Error("a patch that nobody put is known")
	}
	other := uint32(7 + len(kept.slots)) // in the same place
	for _, put := range []struct {
		block uint32
		shape *contour.Patch
	}{{7, nil}, {7, road}, {other, nil}, {other, road}} {
		kept.put(put.block, put.shape)
		want := int64(0)
		if put.shape != nil {
			want = int64(road.Bytes())
		}
		if got, known := kept.get(put.block); !known || got != put.shape || kept.bytes.Load() != want {
			t.Errorf("block %d: %v, %v, %d bytes in all", put.block, got, known, kept.bytes.Load())
		}
	}
	if _, known := kept.get(7); known {
		t.Error("what was put in another's place has left it there")
	}
}
