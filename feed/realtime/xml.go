package realtime

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"github.com/waygate/waygate/feed"
)

// EachElement calls begin for the local name of each element of an XML document as it
// begins, and end as it ends, with the text after the last tag before it: that of an element
// without others in it. Texts are cut as Word cuts them.
func EachElement(ctx context.Context, in *feed.Input, begin func(name string), end func(name, text string) error) error {
	d := xml.NewDecoder(in)
	d.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("it is written in %s and not in UTF-8", charset)
	}
	var text []byte
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it cannot be read as XML: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			text = text[:0]
			begin(token.Name.Local)
		case xml.CharData:
			if text = append(text, token...); len(text) > longestWord {
				text = text[:longestWord]
			}
		case xml.EndElement:
			if err := end(token.Name.Local, Word(text)); err != nil {
				return err
			}
			text = text[:0]
		}
	}
}
