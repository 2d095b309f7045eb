// Nothing but the precompiled header of the test programs is made with it.
