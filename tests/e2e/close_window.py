#!/usr/bin/env python3
"""Asks an X11 window to close, as the button in its frame does: close_window.py WINDOW"""
import ctypes
import sys

xlib = ctypes.CDLL("libX11.so.6")
xlib.XOpenDisplay.restype = ctypes.c_void_p
xlib.XInternAtom.restype = ctypes.c_ulong
CLIENT_MESSAGE = 33


class ClientMessage(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
        ("padding", ctypes.c_long * 16),
    ]


display = ctypes.c_void_p(xlib.XOpenDisplay(None))
if not display:
    sys.exit("no display")
window = int(sys.argv[1])
atom = lambda name: xlib.XInternAtom(display, name, False)
message = ClientMessage(CLIENT_MESSAGE, 0, 1, display, window, atom(b"WM_PROTOCOLS"), 32, (ctypes.c_long * 5)(atom(b"WM_DELETE_WINDOW"), 0, 0, 0, 0))
xlib.XSendEvent(display, ctypes.c_ulong(window), False, ctypes.c_long(0), ctypes.byref(message))
xlib.XSync(display, False)
