'use strict';

// Everything that the page does lives in this object; each file adds one part to it.
const Cento = {};
