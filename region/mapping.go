package region

import (
	"errors"
	"fmt"
	"os"
)

// mapping is a file in memory. The file stays open, to be read beside.
type mapping struct {
	data   []byte
	file   *os.File
	opened os.FileInfo // of file when it was opened

	// Of what stands under its name, under the region's lock.
	seen  os.FileInfo // when it was last looked at; nil where nothing stood there
	again bool        // it is named as changed once more
}

func mapFile(path string, want int64) (*mapping, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, closeAfter(f, err)
	}
	if st.Size() != want {
		return nil, closeAfter(f, fmt.Errorf("%s has %d bytes, the manifest says %d: import again", path, st.Size(), want))
	}
	if want == 0 {
		return &mapping{file: f, opened: st, seen: st}, nil
	}
	data, err := view(f, want)
	if err != nil {
		return nil, closeAfter(f, err)
	}
	return &mapping{data: data, file: f, opened: st, seen: st}, nil
}

func (m *mapping) close() error {
	err := m.file.Close()
	if len(m.data) == 0 {
		return err
	}
	return errors.Join(err, closeView(m.data))
}
