package cookie

// Query says what to read of a browser's data.
type Query struct {
	Cookies bool `json:"cookies"`
	// Local asks for the local storage of every origin that has one.
	Local bool `json:"local"`
	// Silent keeps the reading out of the journal: it only prepares a change.
	Silent bool `json:"silent,omitempty"`
}

// Data is the data of a browser, read or to be written.
type Data struct {
	Cookies []Cookie `json:"cookies"`
	Origins []Origin `json:"origins"`
	// Opaque counts the cookies that exist and cannot be written down, because their partition has no name.
	Opaque int `json:"opaque,omitempty"`
}

// MaxBytes limits the cookies and the storage that one request brings.
const MaxBytes = 16 << 20
