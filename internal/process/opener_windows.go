package process

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// The Restart Manager knows who has a file open, for installers that want to replace it.
var (
	restartManager      = windows.NewLazySystemDLL("rstrtmgr.dll")
	rmStartSession      = restartManager.NewProc("RmStartSession")
	rmRegisterResources = restartManager.NewProc("RmRegisterResources")
	rmGetList           = restartManager.NewProc("RmGetList")
	rmEndSession        = restartManager.NewProc("RmEndSession")
)

// rmProcess is RM_PROCESS_INFO.
type rmProcess struct {
	PID         uint32
	Started     windows.Filetime
	App         [256]uint16
	Service     [64]uint16
	Type        uint32
	Status      uint32
	Session     uint32
	Restartable int32
}

// Openers returns the processes of this user that have a file open.
func Openers(name string) (found []Info) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil || restartManager.Load() != nil {
		return nil
	}
	var session uint32
	var key [33]uint16 // CCH_RM_SESSION_KEY and a zero
	code, _, _ := rmStartSession.Call(uintptr(unsafe.Pointer(&session)), 0, uintptr(unsafe.Pointer(&key[0])))
	if code != 0 {
		return nil
	}
	defer func() { _, _, _ = rmEndSession.Call(uintptr(session)) }()
	code, _, _ = rmRegisterResources.Call(uintptr(session), 1, uintptr(unsafe.Pointer(&path)), 0, 0, 0, 0)
	if code != 0 {
		return nil
	}
	list, needed := make([]rmProcess, 16), uint32(0)
	for {
		var reasons uint32
		n := uint32(len(list))
		code, _, _ = rmGetList.Call(uintptr(session), uintptr(unsafe.Pointer(&needed)), uintptr(unsafe.Pointer(&n)),
			uintptr(unsafe.Pointer(&list[0])), uintptr(unsafe.Pointer(&reasons)))
		if code == uintptr(windows.ERROR_MORE_DATA) && int(needed) > len(list) {
			list = make([]rmProcess, needed)
			continue
		}
		if code != 0 {
			return nil
		}
		list = list[:n]
		break
	}
	for _, p := range list {
		if info, ok := lookup(int(p.PID)); ok {
			found = append(found, info)
		}
	}
	return found
}
