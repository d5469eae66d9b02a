// Sends the only form of the page at once. Without this script there is its button.
/* global document */

document.forms[0].submit();
