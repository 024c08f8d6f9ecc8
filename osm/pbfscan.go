package osm

import (
	"context"
	"errors"
	"fmt"
	"io"
)

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
			b.free <- u // the format says to pass over unknown types
		default:
			_, _, size, err := unpackBlob(blob)
			if err == nil {
				err = in.ratio.add(int64(len(blob)), int64(size))
			}
			if err != nil {
				b.fail(u, fmt.Errorf("file block at byte %d: %w", u.at, err))
				return
			}
			if !b.lend(ctx, u, size) {
				return
			}
			b.work <- u
			b.order <- u
		}
	}
}

// decode unpacks and decodes the unit's blob.
func (u *blockTask) decode(unpack *inflater, decoder *blockDecoder) {
	raw, err := unpack.unpack(u.blob, decoder.opt)
	if err == nil {
		err = decoder.decode(raw, &u.space)
	}
	if err != nil {
		u.err = fmt.Errorf("file block at byte %d: %w", u.at, err)
	}
}
