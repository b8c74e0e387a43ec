package extension

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // CRX2 is signed with it
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"

	"cove/internal/fault"
)

// crxMagic begins a .crx file. A zip follows its header.
const crxMagic = "Cr24"

// maxHeader bounds the header of a .crx file.
const maxHeader = 1 << 20

// crxHeader is what stands before the zip in a .crx file.
type crxHeader struct {
	size int64  // where the zip begins
	key  []byte // the public key that the extension's id comes from
}

var errHeader = errors.New("its header is damaged")

// readCRX reads the header of a .crx file, and checks that whoever has the extension's key signed the file. It says
// nothing about who that is.
func readCRX(r io.ReaderAt, size int64) (crxHeader, error) {
	h, err := parseCRX(r, size)
	if err != nil {
		return h, fault.Unprocessablef("file", "The .crx file cannot be used: %s.", err).
			WithHint("Download it again. Cove uses no file that was changed after it was signed.")
	}
	return h, nil
}

func parseCRX(r io.ReaderAt, size int64) (crxHeader, error) {
	var head [16]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return crxHeader{}, errHeader
	}
	switch binary.LittleEndian.Uint32(head[4:]) {
	case 2:
		return parseCRX2(r, size, binary.LittleEndian.Uint32(head[8:]), binary.LittleEndian.Uint32(head[12:]))
	case 3:
		return parseCRX3(r, size, binary.LittleEndian.Uint32(head[8:]))
	}
	return crxHeader{}, errors.New("its version is neither 2 nor 3")
}

// parseCRX2 reads: magic, version, length of the key, length of the signature, key, signature, zip.
func parseCRX2(r io.ReaderAt, size int64, keySize, signatureSize uint32) (crxHeader, error) {
	if keySize > maxHeader || signatureSize > maxHeader {
		return crxHeader{}, errHeader
	}
	both := make([]byte, keySize+signatureSize)
	if _, err := r.ReadAt(both, 16); err != nil {
		return crxHeader{}, errHeader
	}
	h := crxHeader{size: 16 + int64(len(both)), key: both[:keySize]}
	sum := sha1.New() //nolint:gosec // see above
	if _, err := io.Copy(sum, io.NewSectionReader(r, h.size, size-h.size)); err != nil {
		return h, err
	}
	public, err := x509.ParsePKIXPublicKey(h.key)
	if err != nil {
		return h, errHeader
	}
	rsaKey, ok := public.(*rsa.PublicKey)
	if !ok || rsa.VerifyPKCS1v15(rsaKey, crypto.SHA1, sum.Sum(nil), both[keySize:]) != nil {
		return h, errSignature
	}
	return h, nil
}

var errSignature = errors.New("its signature does not fit its content")

// parseCRX3 reads: magic, version, length of the header, header, zip. The header is a protocol buffer: proofs of RSA
// (2) and ECDSA keys (3), each a key (1) and a signature (2), and what is signed besides the zip (10000), which holds
// the id (1).
func parseCRX3(r io.ReaderAt, size int64, headerSize uint32) (crxHeader, error) {
	if headerSize > maxHeader {
		return crxHeader{}, errHeader
	}
	raw := make([]byte, headerSize)
	if _, err := r.ReadAt(raw, 12); err != nil {
		return crxHeader{}, errHeader
	}
	header, err := protoFields(raw)
	if err != nil {
		return crxHeader{}, err
	}
	h := crxHeader{size: 12 + int64(headerSize)}
	if len(header[10000]) != 1 {
		return h, errHeader
	}
	signed := header[10000][0]
	inner, err := protoFields(signed)
	if err != nil || len(inner[1]) != 1 {
		return h, errHeader
	}

	sum := sha256.New()
	sum.Write([]byte("CRX3 SignedData\x00"))
	_ = binary.Write(sum, binary.LittleEndian, uint32(len(signed))) //nolint:gosec // at most maxHeader
	sum.Write(signed)
	if _, err := io.Copy(sum, io.NewSectionReader(r, h.size, size-h.size)); err != nil {
		return h, err
	}
	for _, proof := range append(header[2], header[3]...) {
		key, fits, err := checkProof(proof, inner[1][0], sum.Sum(nil))
		if err != nil {
			return h, err
		}
		if fits {
			h.key = key
			return h, nil
		}
	}
	return h, errors.New("it is not signed with the key of its id")
}

// checkProof checks one signature. fits reports that the id comes from its key.
func checkProof(proof, id, sum []byte) (key []byte, fits bool, err error) {
	fields, err := protoFields(proof)
	if err != nil || len(fields[1]) != 1 || len(fields[2]) != 1 {
		return nil, false, errHeader
	}
	key = fields[1][0]
	if hash := sha256.Sum256(key); string(hash[:16]) != string(id) {
		return nil, false, nil // of a store, for example
	}
	public, err := x509.ParsePKIXPublicKey(key)
	if err != nil {
		return nil, false, errHeader
	}
	ok := false
	switch public := public.(type) {
	case *rsa.PublicKey:
		ok = rsa.VerifyPKCS1v15(public, crypto.SHA256, sum, fields[2][0]) == nil
	case *ecdsa.PublicKey:
		ok = ecdsa.VerifyASN1(public, sum, fields[2][0])
	}
	if !ok {
		return nil, false, errSignature
	}
	return key, true, nil
}

// protoFields reads the fields of a protocol buffer that hold bytes, by their numbers.
func protoFields(raw []byte) (map[uint64][][]byte, error) {
	fields := map[uint64][][]byte{}
	for len(raw) > 0 {
		tag, n := binary.Uvarint(raw)
		if n <= 0 || tag&7 != 2 {
			return nil, errHeader
		}
		raw = raw[n:]
		size, n := binary.Uvarint(raw)
		if n <= 0 || size > uint64(len(raw)-n) {
			return nil, errHeader
		}
		fields[tag>>3] = append(fields[tag>>3], raw[n:n+int(size)]) //nolint:gosec // at most the length of raw
		raw = raw[n+int(size):]                                     //nolint:gosec // see above
	}
	return fields, nil
}

// base64Key returns the key as a manifest has it.
func (h crxHeader) base64Key() string {
	if h.key == nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(h.key)
}
