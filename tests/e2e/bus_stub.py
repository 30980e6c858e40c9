#!/usr/bin/env python3
"""A stand-in for the desktop on the session bus: notification server and tray host.

Writes what it hears to stdout as JSON lines. Reads commands from stdin, one JSON object per line:
  {"do": "press", "label": "Open"}              presses the first entry of the tray's menu whose label starts with it
  {"do": "click", "id": 3, "action": "default"} clicks a notification
"""
import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"


def say(kind, **values):
    print(json.dumps({"kind": kind, **values}), flush=True)


class Notifications(dbus.service.Object):
    NAME = "org.freedesktop.Notifications"
    count = 0

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        self.count += 1
        say("notification", id=self.count, app=str(app), title=str(summary), body=str(body), actions=[str(a) for a in actions])
        return self.count

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["body", "body-markup", "actions"]

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("stub", "tests", "1", "1.2")

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        say("closed", id=int(number))

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, action):
        pass


class Tray(dbus.service.Object):
    """Holds the newest item, and reads its menu again whenever it signals a change."""

    NAME = "org.kde.StatusNotifierWatcher"

    def __init__(self, bus, path):
        super().__init__(bus, path)
        self.bus, self.items, self.owner, self.menu, self.entries = bus, [], None, None, []

    @dbus.service.method(NAME, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        service = str(service)
        path = service if service.startswith("/") else "/StatusNotifierItem"
        self.owner = sender if service.startswith("/") else service
        self.items.append(self.owner + path)
        self.StatusNotifierItemRegistered(self.owner + path)
        item = self.bus.get_object(self.owner, path, introspect=False)
        item.GetAll(ITEM, dbus_interface=PROPERTIES, reply_handler=self.item, error_handler=self.fault)

    def item(self, values):
        say("tray", id=str(values.get("Id")), title=str(values.get("Title")), status=str(values.get("Status")), icon=str(values.get("IconName")))
        self.menu = self.bus.get_object(self.owner, str(values["Menu"]), introspect=False)
        for signal in ("LayoutUpdated", "ItemsPropertiesUpdated"):
            self.bus.add_signal_receiver(self.read, signal, MENU, self.owner, str(values["Menu"]))
        self.read()

    def read(self, *_):
        self.menu.GetLayout(0, -1, dbus.Array([], signature="s"), dbus_interface=MENU, reply_handler=self.layout, error_handler=self.fault)

    def layout(self, _revision, root):
        entries = [(int(entry[0]), str(entry[1].get("label", "")), bool(entry[1].get("enabled", True))) for entry in root[2]]
        # Menus mark access keys with an underscore and escape a real underscore by doubling it.
        self.entries = [(number, label.replace("__", "\0").replace("_", "").replace("\0", "_"), on) for number, label, on in entries]
        say("menu", labels=[label for _, label, _ in self.entries if label])

    def press(self, label):
        for number, text, _ in self.entries:
            if text.startswith(label):
                self.menu.Event(dbus.Int32(number), "clicked", dbus.String("", variant_level=1), dbus.UInt32(0), dbus_interface=MENU,
                                reply_handler=lambda: say("pressed", label=text), error_handler=self.fault)
                return
        say("fault", message=f"no entry {label!r} in {self.entries}")

    def fault(self, error):
        say("fault", message=str(error))

    @dbus.service.signal(NAME, signature="s")
    def StatusNotifierItemRegistered(self, item):
        pass

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, _interface):
        return {"IsStatusNotifierHostRegistered": dbus.Boolean(True), "ProtocolVersion": dbus.Int32(0),
                "RegisteredStatusNotifierItems": dbus.Array(self.items, signature="s")}


DBusGMainLoop(set_as_default=True)
session = dbus.SessionBus()
names = [dbus.service.BusName(name, session) for name in (Notifications.NAME, Tray.NAME)]
notifications = Notifications(session, "/org/freedesktop/Notifications")
tray = Tray(session, "/StatusNotifierWatcher")
loop = GLib.MainLoop()


def order(source, _condition):
    line = source.readline()
    if not line:
        loop.quit()
        return False
    wish = json.loads(line)
    if wish["do"] == "press":
        tray.press(wish["label"])
    elif wish["do"] == "click":
        notifications.ActionInvoked(dbus.UInt32(wish["id"]), wish["action"])
    return True


def owner(name, _old, new):
    if new and not name.startswith(":"):
        say("name", name=str(name))


session.add_signal_receiver(owner, "NameOwnerChanged", "org.freedesktop.DBus")
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, order)
say("ready")
loop.run()
