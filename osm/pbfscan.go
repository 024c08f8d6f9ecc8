package osm

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// pbfUnit is what a unit needs to decode a block of a PBF.
type pbfUnit struct {
	decoder blockDecoder
}

// readBlobs reads the data blocks of a file and sets the workers on them.
func readBlobs(ctx context.Context, in *input, f *frames, b *belt) {
	for {
		u := b.take(ctx)
		if u == nil {
			return
		}
		u.at = f.offset
		kind, blob, err := f.next(u.blob)
		u.blob = blob
		u.end = in.done()
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			b.fail(u, fmt.Errorf("file block at byte %d: %w", u.at, err))
			return
		case kind == typeHeader:
			b.fail(u, fmt.Errorf("file block at byte %d: a second header; two files cannot be joined end to end (osmium merge joins them)", u.at))
			return
		case kind != typeData:
			b.free <- u // the format says to pass over types one does not know
		default:
			b.work <- u
			b.order <- u
		}
	}
}

// decode unpacks and decodes the unit's blob.
func (u *unit) decode(unpack *inflater, opt Options) {
	if u.pbf == nil {
		u.pbf = &pbfUnit{decoder: blockDecoder{
			skipNodes: opt.SkipNodes, skipWays: opt.SkipWays, skipRelations: opt.SkipRelations,
		}}
		u.block = &u.pbf.decoder.block
	}
	raw, err := unpack.unpack(u.blob)
	if err == nil {
		err = u.pbf.decoder.decode(raw)
	}
	if err != nil {
		u.err = fmt.Errorf("file block at byte %d: %w", u.at, err)
	}
}
