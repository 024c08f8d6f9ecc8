package region

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// view maps a file of size bytes, which are not 0, to be read. The view keeps
// the mapping, whose handle is closed here.
func view(f *os.File, size int64) ([]byte, error) {
	mapping, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, fmt.Errorf("CreateFileMapping: %w", err)
	}
	at, err := windows.MapViewOfFile(mapping, windows.FILE_MAP_READ, 0, 0, 0)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("MapViewOfFile: %w", err), windows.CloseHandle(mapping))
	}
	if err := windows.CloseHandle(mapping); err != nil {
		return nil, errors.Join(err, windows.UnmapViewOfFile(at))
	}
	// at is an address outside of Go's memory: the collector does not move it.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size), nil
}

func closeView(data []byte) error {
	return windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(data))))
}
