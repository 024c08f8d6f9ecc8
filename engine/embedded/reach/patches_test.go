package reach

import (
	"sync"
	"testing"

	"github.com/waygate/waygate/road/contour"
)

// TestPatchesAreKept checks that a patch is made for a block at the second request for it,
// that a block without a patch is recorded as such, so that it is not drawn again, and that
// the sum of bytes is that of the patches kept.
func TestPatchesAreKept(t *testing.T) {
	d := contour.NewDrawer(contour.NewPlane(50))
	road := d.Patch([]contour.Road{{Line: contour.Line{{Lon: 0, Lat: 500_000_000}, {Lon: 10_000, Lat: 500_010_000}}, Bits: 1}})
	kept := &patches{}
	other := uint32(7 + len(kept.slots)) // in the same place
	for _, put := range []struct {
		block uint32
		shape *contour.Patch
	}{{7, nil}, {other, road}, {7, road}, {other, nil}} {
		for _, again := range []bool{false, true} {
			if got, worth := kept.get(put.block); got != nil || worth != again || kept.bytes.Load() != 0 {
				t.Errorf("block %d: %v, worth drawing %v, %d bytes in all", put.block, got, worth, kept.bytes.Load())
			}
		}
		kept.put(put.block, put.shape)
		want := int64(0)
		if put.shape != nil {
			want = int64(road.Bytes())
		}
		if got, worth := kept.get(put.block); got != put.shape || worth || kept.bytes.Load() != want {
			t.Errorf("block %d: %v, worth drawing %v, %d bytes in all", put.block, got, worth, kept.bytes.Load())
		}
	}
	kept.get(3)
	kept.bytes.Store(mostPatchBytes)
	if _, worth := kept.get(3); worth {
		t.Error("a patch is worth drawing that there is no room for")
	}
}

// TestPatchesAtOnce has several put patches into the same places: the sum of bytes is that of
// what is kept.
func TestPatchesAtOnce(t *testing.T) {
	d := contour.NewDrawer(contour.NewPlane(50))
	road := d.Patch([]contour.Road{{Line: contour.Line{{Lon: 0, Lat: 500_000_000}, {Lon: 10_000, Lat: 500_010_000}}, Bits: 1}})
	kept := &patches{}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 1000 {
				block := uint32(i%7 + worker*len(kept.slots))
				kept.get(block)
				kept.put(block, road)
			}
		})
	}
	all.Wait()
	sum := int64(0)
	for i := range kept.slots {
		sum += kept.slots[i].Load().bytes()
	}
	if kept.bytes.Load() != sum || sum == 0 {
		t.Errorf("%d bytes are counted, %d are kept", kept.bytes.Load(), sum)
	}
}
