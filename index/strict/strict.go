// Package strict decodes JSON files that people write, in which an unknown member is a
// mistake.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Decode decodes one JSON value. It refuses members that into does not have, and anything
// after the value.
func Decode(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("more follows after the object")
	}
	return nil
}
