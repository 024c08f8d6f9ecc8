// Package realtime walks over documents of GTFS-Realtime and SIRI as streams.
package realtime

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/index/message"
)

// GTFS is the format of sources of GTFS-Realtime. Those of SIRI have one for each service.
const GTFS = "gtfs-rt"

// Check returns a check of sources: their format is that of a service of SIRI, or GTFS, or
// left out.
func Check(siri string) func(*feed.Source) error {
	return func(s *feed.Source) error {
		switch s.Format {
		case "", siri, GTFS:
			return nil
		}
		return fmt.Errorf("format %q is none of %s, %s", s.Format, siri, GTFS)
	}
}

// IsSIRI reports whether a document is of SIRI: where its source has no format, by its
// beginning. It fails for a web page.
func IsSIRI(in *feed.Input, siri string) (bool, error) {
	looks := in.Sniff()
	if looks == feed.HTML {
		return false, feed.ErrPage
	}
	return in.Source.Format == siri || in.Source.Format == "" && looks == feed.XML, nil
}

// Fields of a FeedMessage (https://gtfs.org/documentation/realtime/proto/).
const (
	headerField, entityField = 1, 2
	headerIncrementality     = 2
	headerTime               = 3
	entityDeleted            = 2
	longestEntity            = 1 << 20 // bytes
)

// ErrDamaged is returned for what is no GTFS-Realtime.
var ErrDamaged = errors.New("it is no GTFS-Realtime, or damaged")

// EachEntity calls a function with one field of each entity of a FeedMessage that has it and
// is not deleted, and reports when the message was made. It holds one entity at a time. It
// fails for a message that has changes only.
func EachEntity(ctx context.Context, in *feed.Input, field protowire.Number, each func(raw []byte) error) error {
	buffer := make([]byte, 0, 1024)
	for n := 0; ; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		tag, err := binary.ReadUvarint(in.Reader)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		number, kind := protowire.DecodeTag(tag)
		if number < 1 || kind != protowire.BytesType {
			return ErrDamaged
		}
		length, err := binary.ReadUvarint(in.Reader)
		if err != nil {
			return ErrDamaged
		}
		if length > longestEntity {
			return fmt.Errorf("it has a record of %d bytes, and at most %d are read", length, longestEntity)
		}
		if buffer, err = readBytes(in.Reader, buffer, int(length)); err != nil {
			return err
		}
		switch number {
		case headerField:
			err = header(in, buffer)
		case entityField:
			err = entity(buffer, field, each)
		}
		if err != nil {
			return err
		}
	}
}

// readBytes reads so many bytes into a buffer.
func readBytes(in *bufio.Reader, buffer []byte, n int) ([]byte, error) {
	if cap(buffer) < n {
		buffer = make([]byte, n)
	}
	buffer = buffer[:n]
	if _, err := io.ReadFull(in, buffer); err != nil {
		return nil, errors.New("it ends within a record")
	}
	return buffer, nil
}

func header(in *feed.Input, raw []byte) error {
	return message.Fields(raw, ErrDamaged, func(number protowire.Number, value uint64, _ []byte) error {
		switch number {
		case headerTime:
			if at := Time(value); !at.IsZero() {
				in.Report.Published(at)
			}
		case headerIncrementality:
			if value == 1 {
				return errors.New("it is a DIFFERENTIAL message of GTFS-Realtime, and only full ones are read")
			}
		}
		return nil
	})
}

// Time reads a time in seconds since 1970; zero where it is none.
func Time(value uint64) time.Time {
	if value > 0 && value < math.MaxInt32 {
		return time.Unix(int64(value), 0)
	}
	return time.Time{}
}

func entity(raw []byte, field protowire.Number, each func([]byte) error) error {
	var found []byte
	deleted := false
	err := message.Fields(raw, ErrDamaged, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case field:
			found = bytes
		case entityDeleted:
			deleted = value != 0
		}
		return nil
	})
	if err != nil || found == nil || deleted {
		return err
	}
	return each(found)
}

// longestWord bounds a text of a record, in bytes.
const longestWord = 200

// Word reads a text, which is cut where it is longer than 200 bytes.
func Word(text []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(text[:min(len(text), longestWord)]), ""))
}
