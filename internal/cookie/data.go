package cookie

import (
	"time"
)

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

// Transfer is the data of some sites of another browser, which takes the place of what a profile has of them: the rest
// of another login would be neither of the two.
type Transfer struct {
	Sites   []string `json:"sites"`
	Cookies []Cookie `json:"cookies"`
	Origins []Origin `json:"origins"`
	// StorageSites are the sites whose local storage is replaced, by that of Origins or by none.
	StorageSites []string `json:"storage_sites"`
	// Gone are chosen sites that have no cookies any more.
	Gone []string `json:"-"`
	// Unread are origins whose local storage the other browser did not tell. It stays as it is.
	Unread []string `json:"unread"`
}

// Extra is how much longer than other changes a Transfer may take: it shows a page of each origin.
func (t Transfer) Extra() time.Duration { return time.Duration(len(t.Origins)) * 3 * time.Second }

// Transferred says what became of a Transfer.
type Transferred struct {
	Cookies int `json:"cookies"`
	Entries int `json:"entries"`
	// Refused are the cookies that the browser did not accept as they were.
	Refused []Key `json:"refused"`
	// RefusedOrigins are the origins whose local storage was not brought: a browser did not tell or not accept it.
	RefusedOrigins []string `json:"refused_origins"`
	// Gone are the sites that had cookies when they were chosen, and none when they were read.
	Gone []string `json:"-"`
}

// MaxBytes limits the cookies and the storage that one request brings.
const MaxBytes = 16 << 20
