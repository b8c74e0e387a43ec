package importer

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"cove/internal/fault"
)

const saveAsCSV = "Open it in a spreadsheet program and save it as CSV (UTF-8)."

// decodeText returns a file as text, whatever its byte order mark says, and refuses spreadsheets.
func decodeText(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "", fault.Invalidf("This is an Excel file or a zip file, which Cove cannot read.").WithHint(saveAsCSV)
	case bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")):
		return "", fault.Invalidf("This is an old Excel file, which Cove cannot read.").WithHint(saveAsCSV)
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return decodeUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return decodeUTF16(data[2:], binary.BigEndian)
	}

	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return "", fault.Invalidf("The file is not UTF-8 text.").WithHint("Save it as UTF-8 text.")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return "", fault.Invalidf("The file is empty.")
	}
	return string(data), nil
}

func decodeUTF16(data []byte, order binary.ByteOrder) (string, error) {
	if len(data)%2 != 0 {
		return "", fault.Invalidf("The file ends in the middle of a character.").WithHint("Save it as UTF-8 text.")
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return decodeText([]byte(string(utf16.Decode(units))))
}
