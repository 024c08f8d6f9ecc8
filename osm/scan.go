package osm

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/parallel"
)

// Block is a run of objects of one part of a file, in the file's order. It
// and all it points to are valid only until the callback returns; strings may
// be kept. A kept string of a PBF keeps its block's whole string table alive
// (some ten kilobytes): clone those kept for long.
type Block struct {
	Nodes     []Node
	Ways      []Way
	Relations []Relation
	Skipped   []Skip // what was left out, of objects that are here or not
}

// Skip describes what a reader left out, and why.
type Skip struct {
	Kind Kind
	ID   int64
	Why  Reason
}

// Reason is why something is left out.
type Reason uint8

// The reasons.
const (
	OffGlobe Reason = iota // a node beyond 180 degrees of longitude or 90 of latitude, the whole of it
	LongTag                // a tag of the object whose key or value is longer than OpenStreetMap allows
	ManyTags               // all tags of the object but the first maxTagsOfObject
)

// maxText is the most bytes that a key or a value may have: the 255 characters
// that OpenStreetMap allows, in UTF-8.
const maxText = 4 * 255

// maxTagsOfObject is how many tags OpenStreetMap allows an object.
const maxTagsOfObject = 5000

// Header is the header of a file.
type Header struct {
	Bounds    geo.Bounds // NoBounds where the file has none
	Timestamp time.Time  // of the data (replication timestamp), zero where unknown
	Generator string
	Sorted    bool // the file promises nodes, ways, relations in this order, each by id
}

// Options choose what a scan decodes. The zero value decodes everything on
// all cores. Blocks of a PBF that are skipped are not even unpacked, so that
// damage in them goes unnoticed.
type Options struct {
	SkipNodes, SkipWays, SkipRelations bool
	Workers                            int                    // 0 is GOMAXPROCS
	Progress                           func(done, size int64) // bytes of the file that are dealt with; on the goroutine of the callback
}

// Scan reads a whole file, .osm.pbf, .osm or JSON as Overpass writes it, plain or packed with gzip or
// bzip2 (its contents decide, not its name), and hands its objects to fn in
// the file's order, block by block, on the calling goroutine. Empty blocks are
// left out, deleted objects too; Block.Skipped lists what else is. Decoding runs
// ahead on opt.Workers goroutines over blocks that are bounded in number and in
// memory together; none is left when Scan returns, which is soon after the
// context's end. A file that unpacks to far more than real data does is refused
// (maxRatio). An error of
// fn ends the scan and is given back as it is; an error of the file names the
// file and the byte offset of the block (PBF) or of the element (JSON), or the line (XML).
func Scan(ctx context.Context, source string, opt Options, fn func(*Block) error) (Header, error) {
	in, err := open(ctx, source)
	if err != nil {
		return Header{}, err
	}
	defer in.close()
	scan := scanPBF
	if in.xml || in.json {
		scan = scanText
	}
	h, err := scan(ctx, in, opt, fn)
	if err != nil {
		return Header{}, err
	}
	if opt.Progress != nil {
		opt.Progress(in.size, in.size)
	}
	return h, nil
}

// ReadHeader reads only what a file says about itself: of XML and JSON, what stands
// before the first object.
func ReadHeader(ctx context.Context, source string) (Header, error) {
	if err := ctx.Err(); err != nil {
		return Header{}, err
	}
	in, err := open(ctx, source)
	if err != nil {
		return Header{}, err
	}
	defer in.close()
	if in.xml || in.json {
		r := in.text(Options{})
		if _, err := r.next(&space{}, 1); err != nil {
			return Header{}, in.wrap(ctx, err)
		}
		return r.header(), nil
	}
	f := frames{r: in, size: in.plainSize()}
	h, err := readPBFHeader(&f)
	if err != nil {
		return Header{}, in.wrap(ctx, fmt.Errorf("file block at byte 0: %w", err))
	}
	return h, nil
}

// blockTask is one block on its way through a scan. There is a fixed number of
// them, which bounds the memory.
type blockTask struct {
	at, end int64 // of the file: where the block starts, and up to where the file is read after it
	blob    []byte
	weight  int64 // of the memory that the scan may take, given back with the unit
	space   space
	err     error
	ready   chan struct{} // receives once when space or err is set
}

// belt carries units from a reader in the file's order to the callback. All
// its channels have room for all the units, so that only taking a free one can block.
type belt struct {
	free, order, work chan *blockTask
	memory            *semaphore.Weighted
	most              int64 // that memory lends at once
}

// Blocks are lent memory before they are decoded, in the order of the file, as
// much as they may take: packed, unpacked and as objects. Empty ways are what
// takes most for each byte of a block.
const (
	memoryOfScan   = maxDecoded + 2*maxBlob // for one block of any kind
	memoryOfWorker = 32 << 20               // for each worker more
	mostForByte    = int64(sizeOfWay) / 2
)

func newBelt(n, workers int) *belt {
	most := int64(memoryOfScan + workers*memoryOfWorker)
	b := &belt{memory: semaphore.NewWeighted(most), most: most, free: make(chan *blockTask, n), order: make(chan *blockTask, n), work: make(chan *blockTask, n)}
	for range n {
		b.free <- &blockTask{ready: make(chan struct{}, 1)}
	}
	return b
}

// take returns a free unit, or nil once the scan is over.
func (b *belt) take(ctx context.Context) *blockTask {
	select {
	case u := <-b.free:
		u.err = nil
		return u
	case <-ctx.Done():
		return nil
	}
}

// lend waits for the memory to decode the unit's blob of size bytes when
// unpacked; not ok once the scan is over.
func (b *belt) lend(ctx context.Context, u *blockTask, size int) (ok bool) {
	u.weight = int64(len(u.blob)+size) + min(maxDecoded, mostForByte*int64(size))
	u.weight = min(u.weight, b.most)
	return b.memory.Acquire(ctx, u.weight) == nil
}

// recycle frees a unit that is dealt with.
func (b *belt) recycle(u *blockTask) {
	b.memory.Release(u.weight)
	u.weight = 0
	u.space.recycle()
	if cap(u.blob) > keepable {
		u.blob = nil
	}
	b.free <- u
}

// fail passes a reader's error down the belt, behind the blocks before it.
func (b *belt) fail(u *blockTask, err error) {
	u.err = err
	u.ready <- struct{}{}
	b.order <- u
}

// deliver hands the blocks to fn until the reader closes the order, an error
// comes by, or the context ends.
func (b *belt) deliver(ctx context.Context, in *input, opt Options, fn func(*Block) error) error {
	for u := range b.order {
		select {
		case <-u.ready:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if u.err != nil {
			return in.wrap(ctx, u.err)
		}
		if u.space.block.count()+len(u.space.block.Skipped) > 0 {
			if err := fn(&u.space.block); err != nil {
				return err
			}
		}
		if opt.Progress != nil {
			opt.Progress(u.end, in.size)
		}
		b.recycle(u)
	}
	// The order also ends when the reader sees the context's end first.
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func scanPBF(ctx context.Context, in *input, opt Options, fn func(*Block) error) (Header, error) {
	f := &frames{r: in, size: in.plainSize()}
	h, err := readPBFHeader(f)
	if err != nil {
		return Header{}, in.wrap(ctx, fmt.Errorf("file block at byte 0: %w", err))
	}
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	b := newBelt(2*workers+2, workers)
	var wg parallel.Group
	defer wg.Wait()
	scanning, cancel := context.WithCancel(ctx)
	defer cancel()
	wg.Go(func() {
		defer close(b.order)
		defer close(b.work)
		readBlobs(scanning, in, f, b)
	})
	for range workers {
		wg.Go(func() {
			var unpack inflater
			defer unpack.close()
			decoder := blockDecoder{opt: opt}
			for u := range b.work {
				if scanning.Err() == nil {
					err := parallel.Try(func() error { u.decode(&unpack, &decoder); return nil })
					if err != nil {
						u.err = err
					}
				}
				u.ready <- struct{}{}
			}
		})
	}
	if err := b.deliver(ctx, in, opt, fn); err != nil {
		return Header{}, err
	}
	return h, nil
}

// textReader reads a stream of XML or JSON.
type textReader interface {
	// next fills s with up to about limit objects and reports whether there may be more.
	next(s *space, limit int) (more bool, err error)
	// header returns the header as far as the file has been read.
	header() Header
}

func (in *input) text(opt Options) textReader {
	if in.json {
		return newJSONReader(in, opt)
	}
	return newXMLReader(in, opt)
}

func scanText(ctx context.Context, in *input, opt Options, fn func(*Block) error) (Header, error) {
	b := newBelt(3, 1)
	x := in.text(opt)
	var wg parallel.Group
	defer wg.Wait()
	scanning, cancel := context.WithCancel(ctx)
	defer cancel()
	wg.Go(func() {
		defer close(b.order)
		for more := true; more; {
			u := b.take(scanning)
			if u == nil {
				return
			}
			more, u.err = x.next(&u.space, xmlBlock)
			more = more && u.err == nil
			u.end = in.done()
			u.ready <- struct{}{}
			b.order <- u
		}
	})
	if err := b.deliver(ctx, in, opt, fn); err != nil {
		return Header{}, err
	}
	return x.header(), nil
}
