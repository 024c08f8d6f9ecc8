package osm

import (
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"runtime"
	"testing"

	other "github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"github.com/waygate/waygate/realdata"
)

// The pair reads the same file on all cores, ours and the other reader.

func BenchmarkScanDelaware(b *testing.B) {
	path := realdata.Delaware(b)
	for name, opt := range map[string]Options{"all": {}, "ways": {SkipNodes: true, SkipRelations: true}} {
		b.Run(name, func(b *testing.B) {
			measure(b, path, func() int {
				n := 0
				_, err := Scan(context.Background(), path, opt, func(block *Block) error {
					n += block.count()
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				return n
			})
		})
	}
}

func BenchmarkPaulmachDelaware(b *testing.B) {
	path := realdata.Delaware(b)
	for name, ways := range map[string]bool{"all": false, "ways": true} {
		b.Run(name, func(b *testing.B) {
			measure(b, path, func() int {
				f, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				defer func() { _ = f.Close() }()
				s := osmpbf.New(context.Background(), f, runtime.GOMAXPROCS(0))
				s.SkipNodes, s.SkipRelations = ways, ways
				return drain(b, s)
			})
		})
	}
}

func drain(b *testing.B, s other.Scanner) int {
	n := 0
	for s.Scan() {
		n++
	}
	if err := s.Err(); err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkXML reads a real file of XML, unpacked in memory: all its objects
// by this reader, and nothing but its tokens by the standard library's.
func BenchmarkXML(b *testing.B) {
	f, err := os.Open(realdata.File(b, "osm/liechtenstein-20130803.osm.bz2"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(bzip2.NewReader(f))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("objects", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			x, s := newXMLReader(bytes.NewReader(text), Options{}), space{}
			for more := true; more; {
				if more, err = x.next(&s, xmlBlock); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("tokens of encoding/xml", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			d := xml.NewDecoder(bytes.NewReader(text))
			for err = nil; err == nil; {
				_, err = d.RawToken()
			}
			if !errors.Is(err, io.EOF) {
				b.Fatal(err)
			}
		}
	})
}

// measure reports megabytes of the file a second, and allocations.
func measure(b *testing.B, path string, scan func() int) {
	stat, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(stat.Size())
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = scan()
	}
	b.ReportMetric(float64(n), "objects/op")
}
